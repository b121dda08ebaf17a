import { accounts, type Entry, move, post, type Posting } from "#ledger/index.ts";
import { firstRowOf, type Tx } from "#platform/db/index.ts";
import { nextCheckoutState } from "../rules/statuses.rules.ts";
import { changePayment, lockLivePayment, type Payment } from "../store.ts";
import type { Refund } from "../stores/refunds.store.ts";

const { refundInFlight, disputeInFlight, disputeLoss, pspClearing, suspense, paidOutside } = accounts;
type RefundStep = "planned" | "settled" | "undone" | "outside" | "covered" | "reopened";
const kinds = {
  planned: "planned",
  settled: "settled",
  undone: "undone",
  outside: "settled",
  covered: "settled",
  reopened: "undone",
} as const satisfies Record<RefundStep, string>;

/** Posts one step of a refund once. planned: deducted. settled: left the provider. undone: returned. outside: paid outside the provider. covered: by a lost dispute. reopened: due again after its appeal. */
export async function postRefund(
  tx: Tx,
  refund: Refund,
  step: RefundStep,
  payment: Payment | undefined,
  at: Date,
  paidBy?: readonly Entry[],
): Promise<void> {
  const source = payment ? accounts.held(payment.booking_id) : suspense;
  const directions = {
    planned: { debit: source, credit: refundInFlight },
    settled: { debit: refundInFlight, credit: pspClearing },
    undone: { debit: pspClearing, credit: refundInFlight },
    outside: { debit: refundInFlight, credit: pspClearing },
    covered: { debit: refundInFlight, credit: disputeInFlight },
    reopened: { debit: disputeLoss, credit: refundInFlight },
  };
  const kind: Posting["kind"] = `${payment ? "" : "suspense_"}refund_${kinds[step]}`;
  const entries = paidBy ?? move(refund.amount, refund.currency, directions[step]);
  const common = postingOf(refund, step, payment, at);
  let isPosted = await post(tx, { ...common, kind, entries });
  // The status of the locked refund prevents a repetition, so an existing posting is of an earlier dispute of the charge.
  if (step === "covered" || step === "reopened")
    for (let round = 2; !isPosted; round++)
      isPosted = await post(tx, { ...common, cause: `${common.cause}:${round}`, kind, entries });
  if (step !== "outside") return;
  // A separate group, so reports count one refund and the provider's account keeps its true balance.
  const outside = move(refund.amount, refund.currency, { debit: pspClearing, credit: paidOutside });
  await post(tx, { ...common, cause: `${common.cause}:kept`, kind: "outside_payment", entries: outside });
}

export const postingOf = (refund: Refund, step: RefundStep, payment: Payment | undefined, at: Date) =>
  ofPayment(`refund:${refund.id}:${step}`, payment, at);

export const ofPayment = (cause: string, payment: Payment | undefined, at: Date) => ({
  cause,
  bookingId: payment?.booking_id ?? null,
  paymentId: payment?.id ?? null,
  at,
});

/** Updates the refunded sum from the rows. A payment that is refunded in full is closed, so another one can be made. */
export async function countRefunds(tx: Tx, payment: Payment, now: Date): Promise<void> {
  const row = await firstRowOf<{ refunded: number }>(tx)`
    select coalesce(sum(amount), 0)::bigint as refunded from refunds
    where payment_id = ${payment.id} and status = 'succeeded'`;
  const refunded = row?.refunded ?? 0;
  const all = refunded === payment.amount;
  const step = all
    ? nextCheckoutState(payment.checkout_state, "refund")
    : nextCheckoutState(payment.checkout_state, "refundFailed");
  const live =
    !all && payment.checkout_state === "closed"
      ? await lockLivePayment(tx, payment.booking_id, payment.kind)
      : undefined;
  const checkoutState = step && !live ? step : payment.checkout_state;
  await changePayment(
    tx,
    payment,
    { amount_refunded: refunded, status: all ? "refunded" : "succeeded", checkout_state: checkoutState },
    now,
  );
}
