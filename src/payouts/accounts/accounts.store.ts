import { type Selectable, sql } from "kysely";
import { hasRow, type DB, type Tx } from "#platform/db/index.ts";
import type { AccountEnd } from "../accounts.rules.ts";

export type PayoutAccount = Selectable<DB["artist_connect"]>;

const selectAccounts = (tx: Tx) => tx.selectFrom("artist_connect").selectAll();

export async function lockAccount(tx: Tx, artistId: string, now: Date): Promise<PayoutAccount> {
  await tx
    .insertInto("artist_connect")
    .values({ artist_id: artistId, updated_at: now })
    .onConflict((on) => on.column("artist_id").doNothing())
    .execute();
  return selectAccounts(tx).where("artist_id", "=", artistId).forUpdate().executeTakeFirstOrThrow();
}

export const lockReported = (tx: Tx, ref: string, artistId: string | null): Promise<PayoutAccount | undefined> =>
  selectAccounts(tx)
    .where((eb) =>
      artistId === null
        ? eb("provider_account", "=", ref)
        : eb.or([eb("provider_account", "=", ref), eb("artist_id", "=", artistId)]),
    )
    .orderBy(
      (eb) => eb("provider_account", "=", ref),
      (order) => order.desc().nullsLast(),
    )
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

type Change = Partial<Omit<PayoutAccount, "artist_id" | "updated_at">>;

/** Returns true if the account of this reference has ended. Nothing is sent there, and reports of it are ignored. */
export const isFormer = (tx: Tx, ref: string): Promise<boolean> =>
  hasRow(tx)`select 1 from former_payment_accounts where provider_account = ${ref}`;

/** Moves the account of a locked row to history. `userId` can begin a new one. Bank account and freeze stay, so a new bank account waits. */
export async function retireAccount(
  tx: Tx,
  row: PayoutAccount,
  { userId, why, now }: { userId: string | null; why: AccountEnd; now: Date },
): Promise<PayoutAccount> {
  if (row.provider_account !== null)
    await tx
      .insertInto("former_payment_accounts")
      .values({
        provider_account: row.provider_account,
        artist_id: row.artist_id,
        user_id: row.user_id,
        onboarding_status: row.onboarding_status,
        why,
        ended_at: now,
      })
      .execute();
  const empty = {
    user_id: userId,
    provider_account: null,
    onboarding_status: "not_started",
    requested_at: null,
    needs_lookup: false,
    bank_return: null,
  } as const;
  await changeAccount(tx, row.artist_id, empty, now);
  return { ...row, ...empty };
}

/** Clears a return that happened before `sentAt` (ISO). Returns the account's owner, undefined if there is no such return. */
export const clearBankReturn = (tx: Tx, ref: string, sentAt: string) =>
  tx
    .updateTable("artist_connect")
    .set({ bank_return: null })
    .where("provider_account", "=", ref)
    .where(sql<boolean>`(bank_return->>'at')::timestamptz <= ${sentAt}::timestamptz`)
    .returning("user_id")
    .executeTakeFirst();

export const changeAccount = (tx: Tx, artistId: string, fields: Change, now: Date) =>
  tx
    .updateTable("artist_connect")
    .set({ ...fields, updated_at: now })
    .where("artist_id", "=", artistId)
    .execute();
