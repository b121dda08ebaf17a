import type { Reader } from "#platform/db/index.ts";

/** Returns a charge with what the provider's account received of it. Undefined if it is not recorded. */
export const findCharge = (reader: Reader, providerPayment: string) =>
  reader.selectFrom("provider_charges").selectAll().where("provider_payment", "=", providerPayment).executeTakeFirst();

export async function findKnownTransfers(reader: Reader, bookingId: string): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom("transfers as t")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select(["t.id", "t.provider_ref"])
    .where("p.booking_id", "=", bookingId)
    .execute();
  return new Set(rows.flatMap(({ id, provider_ref: ref }) => (ref === null ? [id] : [id, ref])));
}
