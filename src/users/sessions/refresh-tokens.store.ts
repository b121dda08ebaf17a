/**
 * Refresh tokens. A child is the keyed hash of its parent, and repeated requests return the same child: a lost response or a second tab
 * signs no one out. Only hashes are stored. An ancestor older than the parent of the newest token is theft. A session that becomes stronger
 * starts a new family (column `line`), whose first token has no parent: no earlier token leads to it. Until that token was used it may not
 * have arrived, and the earlier ones remain valid at their level.
 */

import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { firstRowOf, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { AssuranceLevel } from "./access-tokens.ts";

const bytes = 32;

export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

export const randomToken = (): string => randomBytes(bytes).toString("base64url");

const childOf = (services: PlatformServices, parent: string): string =>
  services.keys.hmac("refresh token", parent).toString("base64url");

/** Finds the child that was issued before, perhaps under a former root key. */
async function storedChild(tx: Tx, services: PlatformServices, parent: string): Promise<string | undefined> {
  for (const bytes of services.keys.hmacs("refresh token", parent)) {
    const child = bytes.toString("base64url");
    const row = await tx
      .selectFrom("refresh_tokens")
      .select("seq")
      .where("hash", "=", tokenHash(child))
      .executeTakeFirst();
    if (row) return child;
  }
  return undefined;
}

export const firstRefreshToken = (tx: Tx, sessionId: string, now: Date): Promise<string> =>
  startFamily(tx, sessionId, { seq: 1, line: 1, aal: "aal1" }, now);

/** Starts the family of the second level. Earlier tokens never lead to it, and are theft once it was used. */
export async function upgradedRefreshToken(tx: Tx, sessionId: string, now: Date): Promise<string> {
  const { seq, line } = await tx
    .selectFrom("refresh_tokens")
    .select(({ fn }) => [fn.max<number>("seq").as("seq"), fn.max<number>("line").as("line")])
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return startFamily(tx, sessionId, { seq: (seq ?? 0) + 1, line: (line ?? 0) + 1, aal: "aal2" }, now);
}

type FamilyStart = { seq: number; line: number; aal: AssuranceLevel };

async function startFamily(tx: Tx, sessionId: string, start: FamilyStart, now: Date): Promise<string> {
  const token = randomToken();
  await tx
    .insertInto("refresh_tokens")
    .values({ hash: tokenHash(token), session_id: sessionId, ...start, created_at: now })
    .execute();
  return token;
}

export const downgradeRefreshTokens = (tx: Tx, sessionIds: readonly string[]) =>
  tx.updateTable("refresh_tokens").set({ aal: "aal1" }).where("session_id", "in", sessionIds).execute();

/** What happens to a presented token. `keep`: it stays unchanged, because a stronger one may be in transit. */
type Rotation = "rotate" | "repeat" | "keep" | "theft";

/** The position of a presented token: `newest` ends its own family, `familyInUse` is the last one with a used token. */
type TokenPosition = { seq: number; newest: number; family: number; familyInUse: number; newestFamily: number };

export function decideRotation({ seq, newest, family, familyInUse, newestFamily }: TokenPosition): Rotation {
  if (family < familyInUse || seq < newest - 1) return "theft";
  if (family < newestFamily) return "keep";
  return seq === newest ? "rotate" : "repeat";
}

export type RotationResult =
  | { outcome: "unknown" }
  | { outcome: "theft"; sessionId: string }
  /** `unchanged`: the token is the presented one. `aal` is the level it was made with. */
  | { outcome: "ok"; sessionId: string; token: string; aal: AssuranceLevel; unchanged: boolean };

type Found = TokenPosition & { aal: AssuranceLevel };

/** Consumes a presented token and returns its child. Locks the session's row, which serializes parallel calls. */
export async function rotateRefreshToken(
  tx: Tx,
  services: PlatformServices,
  presented: string,
): Promise<RotationResult> {
  const hash = tokenHash(presented);
  const row = await firstRowOf<{ session_id: string }>(tx)`
    select id as session_id from sessions
    where id = (select session_id from refresh_tokens where hash = ${hash}) for update`;
  const sessionId = row?.session_id;
  const found = sessionId && (await findTokenPosition(tx, sessionId, hash));
  if (!sessionId || !found) return { outcome: "unknown" };
  const decision = decideRotation(found);
  if (decision === "theft") return { outcome: "theft", sessionId };
  const { aal, family } = found;
  if (decision === "keep") return { outcome: "ok", sessionId, token: presented, aal, unchanged: true };
  const token = decision === "rotate" ? childOf(services, presented) : await storedChild(tx, services, presented);
  if (!token) return { outcome: "unknown" };
  if (decision === "rotate") {
    const now = services.realClock.now();
    const child = {
      hash: tokenHash(token),
      session_id: sessionId,
      parent: hash,
      seq: found.seq + 1,
      line: family,
      aal,
    };
    await tx.updateTable("refresh_tokens").set({ used_at: now }).where("hash", "=", hash).execute();
    await tx
      .insertInto("refresh_tokens")
      .values({ ...child, created_at: now })
      .execute();
  }
  return { outcome: "ok", sessionId, token, aal, unchanged: false };
}

const findTokenPosition = (tx: Tx, sessionId: string, hash: Uint8Array): Promise<Found | undefined> =>
  firstRowOf<Found>(tx)`
    select t.seq, t.line as family, t.aal,
           (select max(o.seq) from refresh_tokens o where o.session_id = t.session_id and o.line = t.line) as newest,
           (select coalesce(max(o.line), 1) from refresh_tokens o
            where o.session_id = t.session_id and o.used_at is not null) as "familyInUse",
           (select max(o.line) from refresh_tokens o where o.session_id = t.session_id) as "newestFamily"
    from refresh_tokens t where t.session_id = ${sessionId} and t.hash = ${hash}`;

/** Stored tokens of a chain. An older one is refused as unknown, and no longer ends its session. */
const remembered = 50;

/** Deletes old tokens, because a session that renews hourly for 180 days would leave thousands of rows. */
export const deleteOldRefreshTokens = (tx: Tx) =>
  sql`
    delete from refresh_tokens t using (
      select session_id, max(seq) as newest from refresh_tokens group by session_id having count(*) > ${remembered}
    ) chain where t.session_id = chain.session_id and t.seq <= chain.newest - ${remembered}`.execute(tx);
