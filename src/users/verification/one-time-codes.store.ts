/** One-time tokens: a link for the mailbox and a short code to enter. Either verifies the address once. */

import { randomInt, timingSafeEqual } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes, maxActiveCodes } from "../rules.ts";
import { randomToken, tokenHash } from "../sessions/refresh-tokens.store.ts";

export const codeKinds = [
  "signup",
  "magiclink",
  "recovery",
  "email_change_old",
  "email_change_new",
  "sms",
  "phone_change",
  "reauthentication",
] as const;
export type CodeKind = (typeof codeKinds)[number];

export type OneTimeToken = { userId: string; kind: CodeKind; target: string; nonceHash: Uint8Array | null };
type Wanted = { userId: string; kind: CodeKind; target: string; nonceHash?: Uint8Array | null };

const lifetimeOf: Readonly<Record<CodeKind, number>> = {
  signup: lifetimes.signupLink,
  magiclink: lifetimes.signInLink,
  recovery: lifetimes.recoveryLink,
  email_change_old: lifetimes.emailChangeLink,
  email_change_new: lifetimes.emailChangeLink,
  sms: lifetimes.code,
  phone_change: lifetimes.code,
  reauthentication: lifetimes.code,
};

const keyedCode = (services: PlatformServices, kind: string, target: string, code: string) =>
  services.keys.hmac("one-time code", `${kind} ${target} ${code}`);

/** Makes a token. The two before it remain valid, because a stranger must not void the owner's. Using one voids the others. */
export async function issueCode(tx: Tx, services: PlatformServices, wanted: Wanted) {
  await tx
    .deleteFrom("one_time_tokens")
    .where("hash", "in", (at) =>
      at
        .selectFrom("one_time_tokens")
        .select("hash")
        .where("user_id", "=", wanted.userId)
        .where("kind", "=", wanted.kind)
        .orderBy("created_at", "desc")
        .offset(maxActiveCodes - 1),
    )
    .execute();
  const token = randomToken();
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  const now = services.realClock.now();
  await tx
    .insertInto("one_time_tokens")
    .values({
      hash: tokenHash(token),
      user_id: wanted.userId,
      kind: wanted.kind,
      target: wanted.target,
      code_hash: keyedCode(services, wanted.kind, wanted.target, code),
      nonce_hash: wanted.nonceHash ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimeOf[wanted.kind] * 1000),
    })
    .execute();
  return { token, code };
}

export async function consumeLinkToken(tx: Tx, services: PlatformServices, kinds: readonly CodeKind[], token: string) {
  const hash = tokenHash(token);
  const siblings = await tx
    .selectFrom("one_time_tokens")
    .select(["hash", "user_id", "kind", "target", "nonce_hash", "expires_at"])
    .where((at) =>
      at(
        at.refTuple("user_id", "kind"),
        "in",
        at
          .selectFrom("one_time_tokens as mine")
          .select(["mine.user_id", "mine.kind"])
          .where("mine.hash", "=", hash)
          .where("mine.kind", "in", kinds)
          .$asTuple("user_id", "kind"),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .forUpdate()
    .execute();
  const row = siblings.find((one) => hash.equals(one.hash));
  return row && row.expires_at > services.realClock.now() ? useUp(tx, row) : undefined;
}

/** Consumes the token of an entered code, and its siblings. Wrong codes change nothing here: count them first (countCode). */
export async function consumeCode(
  tx: Tx,
  services: PlatformServices,
  wanted: { kinds: readonly CodeKind[]; target: string; code: string; userId?: string },
): Promise<OneTimeToken | undefined> {
  const now = services.realClock.now();
  const rows = await tx
    .selectFrom("one_time_tokens")
    .select(["user_id", "kind", "target", "nonce_hash", "code_hash"])
    .where("kind", "in", wanted.kinds)
    .where("target", "=", wanted.target)
    .where("expires_at", ">", now)
    .where("created_at", ">", new Date(now.getTime() - lifetimes.code * 1000))
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .forUpdate()
    .execute();
  for (const row of rows) {
    if (wanted.userId !== undefined && row.user_id !== wanted.userId) continue;
    if (row.code_hash && timingSafeEqual(row.code_hash, keyedCode(services, row.kind, wanted.target, wanted.code)))
      return useUp(tx, row);
  }
  return undefined;
}

type Row = { user_id: string; kind: string; target: string; nonce_hash: Uint8Array | null };

async function useUp(tx: Tx, row: Row): Promise<OneTimeToken> {
  const kind = codeKinds.find((one) => one === row.kind);
  if (!kind) throw new Error(`a one-time token has the unknown kind ${row.kind}`);
  await revokeCodes(tx, row.user_id, [kind]);
  return { userId: row.user_id, kind, target: row.target, nonceHash: row.nonce_hash };
}

export const revokeCodes = (tx: Tx, userId: string, kinds: readonly CodeKind[]) =>
  tx.deleteFrom("one_time_tokens").where("user_id", "=", userId).where("kind", "in", kinds).execute();

/** Sign-up links of other browsers no longer retain a password, because another browser set one. Links of this browser do not change. */
export const clearOtherSignupNonces = (tx: Tx, userId: string, nonceHash: Uint8Array) =>
  tx
    .updateTable("one_time_tokens")
    .set({ nonce_hash: null })
    .where("user_id", "=", userId)
    .where("kind", "=", "signup")
    .where("nonce_hash", "<>", nonceHash)
    .execute();

export async function newestSignupNonce(tx: Tx, userId: string): Promise<Uint8Array | null> {
  const row = await tx
    .selectFrom("one_time_tokens")
    .select("nonce_hash")
    .where("user_id", "=", userId)
    .where("kind", "=", "signup")
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row?.nonce_hash ?? null;
}
