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

type EarnedTransfer = Readonly<{ destination: string | null; paid_outside_at: Date | null; earner_id: string | null }>;

/** Returns the user who earned a transfer, who may not be the artist's owner now: as recorded if it was paid outside the provider, else the owner of its payment account. Null if the user was deleted or is unknown. */
export async function earnerOf(reader: Reader, artistId: string, transfer: EarnedTransfer): Promise<string | null> {
  if (transfer.paid_outside_at !== null) return transfer.earner_id;
  const former = await reader
    .selectFrom("former_payment_accounts")
    .select("user_id")
    .where("artist_id", "=", artistId)
    .where("provider_account", "=", transfer.destination)
    .executeTakeFirst();
  return former ? former.user_id : payeeOf(reader, artistId);
}

/** Returns the owner of an artist's payment account. Before there is one, the user who manages the artist. */
export async function payeeOf(reader: Reader, artistId: string): Promise<string | null> {
  const account = await reader
    .selectFrom("artist_connect")
    .select("user_id")
    .where("artist_id", "=", artistId)
    .executeTakeFirst();
  return account ? account.user_id : ownerOf(reader, artistId);
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
