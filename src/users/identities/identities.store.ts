import type { ExpressionBuilder } from "kysely";
import type { DB, Tx } from "#platform/db/index.ts";

type Key = Readonly<{ issuer: string; subject: string }>;
const hasKey =
  ({ issuer, subject }: Key) =>
  (where: ExpressionBuilder<DB, "identities">) =>
    where.and({ issuer, subject });

export const findUserOfIdentity = async (tx: Tx, key: Key): Promise<string | undefined> =>
  (await tx.selectFrom("identities").select("user_id").where(hasKey(key)).executeTakeFirst())?.user_id;

export const lockIdentity = (tx: Tx, key: Key) =>
  tx.selectFrom("identities").selectAll().where(hasKey(key)).forUpdate().executeTakeFirst();

/** Throws if the account is already connected: check first, and retry. */
export const insertIdentity = (tx: Tx, { issuer, subject }: Key, userId: string, now: Date) =>
  tx
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, created_at: now, last_used_at: now })
    .execute();

export const changeIdentity = (
  tx: Tx,
  key: Key,
  change: { last_used_at?: Date; admin_claimed?: boolean; role_before?: "artist" | "promoter" | null },
) => tx.updateTable("identities").set(change).where(hasKey(key)).execute();

/** Disconnects a provider's account. The row stays, to prevent a new connection by its address. */
export const refuseIdentity = (tx: Tx, userId: string, key: Key, now: Date) =>
  tx.updateTable("identities").set({ refused_at: now }).where(hasKey(key)).where("user_id", "=", userId).execute();
