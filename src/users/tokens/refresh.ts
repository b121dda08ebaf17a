/**
 * Refresh tokens. A child is the keyed fingerprint of its parent, so asking twice gives the same child: a lost answer
 * or a second tab signs nobody out. Only hashes are stored. An ancestor older than the parent of the newest token is theft.
 */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "#platform/db/index.ts";
import type { Floor } from "#platform/services.ts";

const bytes = 32;

export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

/** A secret for a link or a session: 256 random bits, safe in an address. */
export const randomToken = (): string => randomBytes(bytes).toString("base64url");

/** The only child that a token can have. */
export const childOf = (services: Floor, parent: string): string =>
  services.keys.hmac("refresh token", parent).toString("base64url");

/** Starts the chain of a session. Returns the token; it is not kept. */
export async function firstRefreshToken(tx: Tx, sessionId: string, now: Date): Promise<string> {
  const token = randomToken();
  await tx
    .insertInto("refresh_tokens")
    .values({ hash: tokenHash(token), session_id: sessionId, seq: 1, created_at: now })
    .execute();
  return token;
}

/** Replaces the chain after the session has become stronger: no token from before may carry the new strength. */
export async function restartChain(tx: Tx, sessionId: string, now: Date): Promise<string> {
  await tx.deleteFrom("refresh_tokens").where("session_id", "=", sessionId).execute();
  return firstRefreshToken(tx, sessionId, now);
}

/** What a presented token is. `seq` counts along the chain, `newest` is the chain's last one. */
export type Rotation = "rotate" | "repeat" | "theft";

/** Decides what a token that stands at `seq` of a chain ending at `newest` may do. */
export function decideRotation(seq: number, newest: number): Rotation {
  if (seq === newest) return "rotate";
  return seq === newest - 1 ? "repeat" : "theft";
}

export type Turn =
  | { outcome: "unknown" }
  | { outcome: "theft"; sessionId: string }
  | { outcome: "ok"; sessionId: string; token: string };

/** Takes a presented token and hands out its child. The session's row is locked, so parallel calls come one after the other. */
export async function turnRefreshToken(tx: Tx, services: Floor, presented: string): Promise<Turn> {
  const hash = tokenHash(presented);
  const { rows } = await sql<{ session_id: string }>`
    select id as session_id from sessions
    where id = (select session_id from refresh_tokens where hash = ${hash}) for update`.execute(tx);
  const sessionId = rows[0]?.session_id;
  if (!sessionId) return { outcome: "unknown" };
  const found = await tx
    .selectFrom("refresh_tokens")
    .select("seq")
    .where("hash", "=", hash)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  if (!found) return { outcome: "unknown" };
  const { newest } = await tx
    .selectFrom("refresh_tokens")
    .select((select) => select.fn.max<number>("seq").as("newest"))
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const decision = decideRotation(found.seq, newest);
  if (decision === "theft") return { outcome: "theft", sessionId };
  const token = childOf(services, presented);
  if (decision === "rotate") {
    const now = services.clock.now();
    await tx.updateTable("refresh_tokens").set({ used_at: now }).where("hash", "=", hash).execute();
    await tx
      .insertInto("refresh_tokens")
      .values({ hash: tokenHash(token), session_id: sessionId, parent: hash, seq: found.seq + 1, created_at: now })
      .execute();
  }
  return { outcome: "ok", sessionId, token };
}
