import { plannedFor } from "#payments/provider-sync.ts";
import { isDisputed } from "#payouts/index.ts";
import { firstRowOf, hasRow, type Reader } from "#platform/db/index.ts";
import { splitOver, takeFromLast, totalLeft } from "#platform/money.rules.ts";

/** Returns the unsent and failed refunds of a booking that wait until a dispute of their payment has ended, in minor units. */
export async function waitingRefundOf(reader: Reader, bookingId: string): Promise<number> {
  const row = await firstRowOf<{ cents: number }>(reader)`
    select coalesce(sum(r.amount), 0)::int as cents from refunds r join payments p on p.id = r.payment_id
    where p.booking_id = ${bookingId} and (r.status = 'failed' or (r.status = 'requested' and r.requested_at is null)) and ${isDisputed("r.provider_payment")}`;
  return row?.cents ?? 0;
}

export const hasFailedRefund = (reader: Reader, bookingId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from refunds r join payments p on p.id = r.payment_id
    where p.booking_id = ${bookingId} and r.status = 'failed' limit 1`;

/** Returns the refunds of a disputed payment that have not reached the payer, and which of them are unsent or failed (`waiting`), in minor units. */
export async function openRefundsOf(reader: Reader, disputeId: string): Promise<{ open: number; waiting: number }> {
  const row = await firstRowOf<{ open: number; waiting: number }>(reader)`
    select coalesce(sum(r.amount), 0)::int as open,
      coalesce(sum(r.amount) filter (where r.status = 'failed' or (r.status = 'requested' and r.requested_at is null)), 0)::int as waiting
    from refunds r join disputes d on d.provider_payment = r.provider_payment
    where d.id = ${disputeId} and r.status <> 'succeeded'`;
  return row ?? { open: 0, waiting: 0 };
}

export const chargeOfRefund = async (reader: Reader, refundId: string): Promise<string | undefined> =>
  (await reader.selectFrom("refunds").select("provider_payment").where("id", "=", refundId).executeTakeFirst())
    ?.provider_payment;

/** Returns the part of a new refund (minor units) of a booking's payments that would wait, by the division of `divideHeld`. */
export async function waitingShareOf(reader: Reader, bookingId: string, refund: number): Promise<number> {
  const payments = await reader
    .selectFrom("payments as x")
    .select(["amount", "provider_payment", isDisputed("x.provider_payment").as("disputed")])
    .where("booking_id", "=", bookingId)
    .where("provider_payment", "is not", null)
    .$narrowType<{ provider_payment: string }>()
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  if (!payments.some(({ disputed }) => disputed)) return 0;
  const charges = await Promise.all(
    payments.map(async (one) => ({ ...one, left: one.amount - (await plannedFor(reader, one.provider_payment)) })),
  );
  const shares = splitOver(Math.min(refund, totalLeft(charges)), charges, takeFromLast);
  return shares.reduce((sum, { disputed, share }) => sum + (disputed ? share : 0), 0);
}
