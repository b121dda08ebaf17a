import { isDisputed } from "#payouts/index.ts";
import { hasRow, type Reader } from "#platform/db/index.ts";
import { normalizeEmail, normalizePhone } from "#users/rules.ts";
import type { Booking } from "../store.ts";

export type PaidBy = Readonly<{ name: string; email: string; company: string }>;

/** Returns the payer of a payment, by its id or the provider's. Undefined if the promoter paid it. */
export const payerOf = (reader: Reader, by: { paymentId: string } | { providerPayment: string }) =>
  reader
    .selectFrom("payment_payers as payer")
    .innerJoin("payments as p", "p.id", "payer.payment_id")
    .select(["payer.name", "payer.email", "payer.company"])
    .where((eb) =>
      "paymentId" in by ? eb("p.id", "=", by.paymentId) : eb("p.provider_payment", "=", by.providerPayment),
    )
    .executeTakeFirst();

/** Returns true if another person than the promoter made the disputed payment. */
export const isDisputeByOther = (reader: Reader, disputeId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from disputes d join payment_payers payer on payer.payment_id = d.payment_id where d.id = ${disputeId}`;

/** Returns a failed refund that needs an admin. Undefined once it is sent again, paid in another way or covered by a dispute. */
export const failedRefundOf = (reader: Reader, refundId: string) =>
  reader
    .selectFrom("refunds")
    .select(["amount", isDisputed("refunds.provider_payment").as("disputed")])
    .where("id", "=", refundId)
    .where("status", "=", "failed")
    .executeTakeFirst();

/** Returns the sum of a payment's refunds that the payer does not have yet, in minor units. */
export async function refundsDueOf(reader: Reader, paymentId: string): Promise<number> {
  const rows = reader.selectFrom("refunds").select((eb) => eb.fn.sum<number | null>("amount").as("due"));
  const { due } = await rows
    .where("payment_id", "=", paymentId)
    .where("status", "<>", "succeeded")
    .executeTakeFirstOrThrow();
  return Number(due ?? 0);
}

/** Returns the addresses of the promoter and of the payer of a charge, in the form that accounts store. Never empty: an address that no account can have is only lowercased. */
export function customerAddresses(
  booking: Pick<Booking, "promoter_email" | "promoter_phone">,
  payer: PaidBy | undefined,
): string[] {
  const phone = normalizePhone(booking.promoter_phone);
  const emails = [booking.promoter_email, payer?.email].flatMap((address) =>
    address === undefined ? [] : (normalizeEmail(address) ?? address.toLowerCase()),
  );
  return phone === undefined ? emails : [...emails, `+${phone}`];
}
