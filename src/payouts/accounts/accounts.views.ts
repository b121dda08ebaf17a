import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { AccountEnd, BankReturn } from "../accounts.rules.ts";

/** Returns a user's artist with the user's own payout account, never a former owner's. `ended`: why the last one ended, until a new one begins. Undefined without an artist. */
export const accountOfUser = (reader: Reader, userId: string) =>
  reader
    .selectFrom("artists as a")
    .leftJoin("artist_connect as c", (on) => on.onRef("c.artist_id", "=", "a.id").onRef("c.user_id", "=", "a.user_id"))
    .select(["a.id as artistId", "c.provider_account as account", "c.onboarding_status as status", "c.frozen_until"])
    .select((eb) => eb.ref("c.bank_return").$castTo<BankReturn | null>().as("bankReturn"))
    .select((eb) =>
      eb
        .selectFrom("former_payment_accounts as f")
        .whereRef("f.artist_id", "=", "a.id")
        .whereRef("f.user_id", "=", "a.user_id")
        .where("f.why", "<>", "other_owner")
        .where("c.provider_account", "is", null)
        .orderBy("f.ended_at", "desc")
        .limit(1)
        .select((one) => one.ref("f.why").$castTo<Exclude<AccountEnd, "other_owner">>().as("why"))
        .as("ended"),
    )
    .where("a.user_id", "=", userId)
    .executeTakeFirst();

type PaidTransfer = Readonly<{ destination: string | null; paid_outside_at: Date | null }>;

/** Returns true if a transfer was paid outside the provider without an account, and the artist has had another owner since. */
export async function isEarnerUnknown(
  reader: Reader,
  artistId: string,
  { destination, paid_outside_at: paidAt }: PaidTransfer,
): Promise<boolean> {
  if (destination !== null || paidAt === null) return false;
  const claim = await reader
    .selectFrom("profile_claims")
    .select("id")
    .where("artist_id", "=", artistId)
    .where("granted", "=", true)
    .where("decided_at", ">=", paidAt)
    .executeTakeFirst();
  return claim !== undefined;
}

/** Returns the user who earned a transfer: the owner of its payment account, who may not be the artist's owner now. Null if the account was deleted, or the user is unknown (`isEarnerUnknown`). */
export async function earnerOf(reader: Reader, artistId: string, transfer: PaidTransfer): Promise<string | null> {
  if (await isEarnerUnknown(reader, artistId, transfer)) return null;
  const { rows } = await sql<{ id: string | null }>`
    select case when f.provider_account is not null then f.user_id when c.artist_id is not null then c.user_id else a.user_id end as id
    from artists a left join artist_connect c on c.artist_id = a.id
      left join former_payment_accounts f on f.artist_id = a.id and f.provider_account = ${transfer.destination}
    where a.id = ${artistId}`.execute(reader);
  return rows[0]?.id ?? null;
}

/** Returns when the account was last synced or changed. Undefined if it is no artist's current one. */
export async function lastSyncOf(reader: Reader, account: string): Promise<Date | undefined> {
  const rows = reader.selectFrom("artist_connect").select("updated_at").where("provider_account", "=", account);
  return (await rows.executeTakeFirst())?.updated_at;
}

/** Returns the user who manages an artist. Null if the artist has no manager. */
export async function ownerOf(reader: Reader, artistId: string): Promise<string | null> {
  const row = await reader.selectFrom("artists").select("user_id").where("id", "=", artistId).executeTakeFirst();
  return row?.user_id ?? null;
}
