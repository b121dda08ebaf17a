/** SQL that writes the artists' payment accounts. */
import type { Selectable } from "kysely";
import type { DB, Tx } from "#platform/db/index.ts";
import type { OnboardingState } from "./accounts.rules.ts";

export type PayoutAccount = Omit<Selectable<DB["artist_connect"]>, "onboarding_status"> & {
  onboarding_status: OnboardingState;
};

/** Makes the artist's row when there is none, and locks it. */
export async function lockAccount(tx: Tx, artistId: string, now: Date): Promise<PayoutAccount> {
  await tx
    .insertInto("artist_connect")
    .values({ artist_id: artistId, updated_at: now })
    .onConflict((on) => on.column("artist_id").doNothing())
    .execute();
  return (await tx
    .selectFrom("artist_connect")
    .selectAll()
    .where("artist_id", "=", artistId)
    .forUpdate()
    .executeTakeFirstOrThrow()) as PayoutAccount;
}

/** Locks the row of an account that the provider reports, by its reference or by our mark on it. */
export const lockReported = async (tx: Tx, ref: string, artistId: string | null): Promise<PayoutAccount | undefined> =>
  (await tx
    .selectFrom("artist_connect")
    .selectAll()
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
    .executeTakeFirst()) as PayoutAccount | undefined;

type Change = Partial<
  Pick<PayoutAccount, "onboarding_status" | "provider_account" | "bank" | "frozen_until" | "asked_at" | "look_up">
>;

/** Writes fields of a locked account. */
export const changeAccount = (tx: Tx, artistId: string, fields: Change, now: Date) =>
  tx
    .updateTable("artist_connect")
    .set({ ...fields, updated_at: now })
    .where("artist_id", "=", artistId)
    .execute();
