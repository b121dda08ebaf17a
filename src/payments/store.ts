import { type Selectable, sql } from "kysely";
import type { PaymentKind } from "#ledger/rules.ts";
import { isUuid, updateById, type DB, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { declineCodeOf } from "./rules/cards.rules.ts";
import type { CheckoutEnded, PaymentEvents, PaymentFailed } from "./rules/events.rules.ts";
import { nextCheckoutState } from "./rules/statuses.rules.ts";

export type Payment = Selectable<DB["payments"]>;

const selectPayments = (tx: Tx) => tx.selectFrom("payments").selectAll();

/** Locks a payment by its id. Every decision about a payment requires this lock. */
export const lockPayment = async (tx: Tx, id: string): Promise<Payment | undefined> =>
  isUuid(id) ? selectPayments(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst() : undefined;

/** Locks the payment that is paid or can be paid for a booking and kind. There is at most one. */
export const lockLivePayment = (tx: Tx, bookingId: string, kind: PaymentKind): Promise<Payment | undefined> =>
  selectPayments(tx)
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where("checkout_state", "in", ["reserved", "open", "paid"])
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Locks all payments of a booking, after which the amount that is held for it does not change. */
export const lockPayments = (tx: Tx, bookingId: string) =>
  tx
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .orderBy("created_at")
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();

/** Locks the payments of a booking for which the provider has taken money, oldest first. */
export const lockPaidPayments = async (tx: Tx, bookingId: string) =>
  tx
    .selectFrom("payments")
    .select(["id", "amount", "provider_payment"])
    .where("booking_id", "=", bookingId)
    .where("provider_payment", "is not", null)
    .orderBy("created_at")
    .orderBy("id")
    .forNoKeyUpdate()
    .$narrowType<{ provider_payment: string }>()
    .execute();

type Change = Partial<Omit<Payment, "id" | "booking_id" | "kind" | "amount" | "currency" | "request_params">>;

export async function changePayment(tx: Tx, payment: Payment, fields: Change, at: Date): Promise<void> {
  await updateById(tx, "payments", payment.id, { ...fields, updated_at: at });
  Object.assign(payment, fields);
}

export const publishEvent = <T extends keyof PaymentEvents>(tx: Tx, topic: T, body: PaymentEvents[T]): Promise<void> =>
  publish(tx, topic, body);

const checkoutEndedOf = (payment: Payment): CheckoutEnded => ({
  paymentId: payment.id,
  bookingId: payment.booking_id,
  kind: payment.kind,
  ...(payment.way === "saved_card" ? { way: payment.way } : {}),
});

/** Closes a payment that the provider has ended or that was never sent. Publishes it once. */
export async function endCheckout(tx: Tx, payment: Payment, reason: string, at: Date): Promise<void> {
  const state = nextCheckoutState(payment.checkout_state, "end");
  if (!state) return;
  await changePayment(
    tx,
    payment,
    { checkout_state: state, status: "failed", last_error: payment.last_error ?? reason, checkout_url: null },
    at,
  );
  await publishEvent(tx, "checkout.ended", checkoutEndedOf(payment));
}

/** Records a decline by the bank. Published once per payment. A payment with money is not changed. */
export async function recordDecline(
  tx: Tx,
  payment: Payment,
  { reason, code }: { reason: string; code?: string | null | undefined },
  at: Date,
): Promise<void> {
  if (payment.status !== "requires_payment_method") return;
  const decline = declineCodeOf(code);
  await changePayment(tx, payment, { status: "failed", last_error: reason, decline_code: decline }, at);
  const body: PaymentFailed = {
    ...checkoutEndedOf(payment),
    amount: payment.amount,
    currency: payment.currency,
    reason,
    ...(payment.way === "saved_card" ? { automatic: decline } : {}),
  };
  await publishEvent(tx, "payment.failed", body);
}

/** The database's clock, for leases. All processes share it, and the demo offset does not move it. */
export const databaseNow = sql<Date>`now()`;
