import type { Insertable } from "kysely";
import { updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";

export type ChallengePurpose = "register" | "sign_in" | "second_factor";
export type ChallengeOwner = { session_id: string } | { browser_hash: Uint8Array };

export const insertPasskeyChallenge = async (tx: Tx, row: Insertable<DB["passkey_challenges"]>): Promise<string> =>
  (await tx.insertInto("passkey_challenges").values(row).returning("id").executeTakeFirstOrThrow()).id;

/** Consumes a challenge and returns the bytes to sign. Undefined if it is used, too old, another owner's or for another purpose. */
export async function consumePasskeyChallenge(
  tx: Tx,
  wanted: { id: string; purpose: ChallengePurpose; owner: ChallengeOwner; now: Date },
): Promise<string | undefined> {
  const { id, purpose, owner, now } = wanted;
  const found = await tx
    .deleteFrom("passkey_challenges")
    .where("id", "=", id)
    .where("purpose", "=", purpose)
    .where((where) =>
      "session_id" in owner
        ? where("session_id", "=", owner.session_id)
        : where("browser_hash", "=", owner.browser_hash),
    )
    .returning(["challenge", "expires_at"])
    .executeTakeFirst();
  return found && found.expires_at > now ? found.challenge : undefined;
}

export const readPasskeys = (reader: Reader, userId: string) =>
  reader
    .selectFrom("factors")
    .select(["id", "friendly_name", "credential_id", "secret", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .where("kind", "=", "passkey")
    .orderBy("created_at")
    .execute();

export const findPasskeyOwner = async (tx: Tx, credentialId: string): Promise<string | undefined> =>
  (await tx.selectFrom("factors").select("user_id").where("credential_id", "=", credentialId).executeTakeFirst())
    ?.user_id;

export const lockPasskey = (tx: Tx, userId: string, credentialId: string) =>
  tx
    .selectFrom("factors")
    .select(["id", "secret", "last_step"])
    .where("credential_id", "=", credentialId)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();

/** Undefined if the passkey is already connected to an account. */
export const insertPasskey = async (
  tx: Tx,
  passkey: {
    user_id: string;
    credential_id: string;
    friendly_name: string;
    secret: string;
    counter: number;
    now: Date;
  },
): Promise<string | undefined> => {
  const { counter, now, ...row } = passkey;
  const inserted = await tx
    .insertInto("factors")
    .values({ ...row, kind: "passkey", status: "verified", last_step: counter, created_at: now, updated_at: now })
    .onConflict((on) => on.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
};

/** `counter`: the authenticator's count of signatures, which may not fall. */
export const markPasskeyUsed = (tx: Tx, id: string, counter: number, now: Date) =>
  updateById(tx, "factors", id, { last_step: counter, last_used_at: now });

export const renameStoredPasskey = (tx: Tx, userId: string, id: string, name: string, now: Date) =>
  tx
    .updateTable("factors")
    .set({ friendly_name: name, updated_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("kind", "=", "passkey")
    .returning(["id", "friendly_name", "created_at", "last_used_at"])
    .executeTakeFirst();
