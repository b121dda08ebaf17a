import type { ProviderCheckout, Money, ProviderPayment } from "#gateway/gateway.ts";
import { accounts, move, post, postConversion } from "#ledger/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { ofPayment } from "../refunds/postings.ts";
import { planUnappliedRefund } from "../refunds/refunds.ts";
import type { UnappliedPayment } from "../rules/events.rules.ts";
import { nextCheckoutState } from "../rules/statuses.rules.ts";
import {
  changePayment,
  endCheckout,
  lockLivePayment,
  lockPayment,
  recordDecline,
  type Payment,
  publishEvent,
} from "../store.ts";
import { chargeOf, insertCharge, unapplyCharge, writeSettlement } from "../stores/provider-charges.store.ts";
import { insertSavedCard } from "../stores/saved-cards.store.ts";
import { recordDifferences, unmatchedDifferences } from "../stores/unreconciled.store.ts";

export type SyncContext = Readonly<{ now: Date; provider: string; live: boolean }>;

/** "orphan": an open checkout whose payment has ended. The caller ends it. "unmatched": our money without a row. An admin decides. */
export type SyncResult = "done" | "orphan" | "foreign" | "unmatched";

export async function syncCheckout(tx: Tx, reported: ProviderCheckout, context: SyncContext): Promise<SyncResult> {
  if (!reported.paymentId) return "foreign";
  const payment = await lockPayment(tx, reported.paymentId);
  if (!payment) return recordUnmatched(tx, reported, context);
  if (reported.money) await applyCapturedMoney(tx, reported.money, payment, reported.ref, context);
  await saveCard(tx, payment, reported, context);
  if (reported.state === "open") return recordOpen(tx, payment, reported, context);
  if (reported.state === "paid" || reported.state === "processing") {
    await storeRef(tx, payment, reported, context);
    return "done";
  }
  if (payment.provider_ref !== null && payment.provider_ref !== reported.ref) return "done";
  await storeRef(tx, payment, reported, context);
  if (reported.state === "failed")
    await recordDecline(tx, payment, { reason: reported.reason ?? "The payment failed." }, context.now);
  await endCheckout(tx, payment, "The checkout ended without a payment.", context.now);
  return "done";
}

/** Syncs one reported attempt to pay. A checkout can be retried after a decline. A saved-card charge cannot. */
export async function syncPayment(tx: Tx, reported: ProviderPayment, context: SyncContext): Promise<SyncResult> {
  if (!reported.paymentId) return "foreign";
  const payment = await lockPayment(tx, reported.paymentId);
  if (!payment) return recordUnmatched(tx, reported, context);
  if (reported.money) await applyCapturedMoney(tx, reported.money, payment, null, context);
  await saveCard(tx, payment, reported, context);
  if (payment.way === "saved_card" && payment.provider_ref === null)
    await changePayment(
      tx,
      payment,
      { provider_ref: reported.ref, provider: context.provider, needs_lookup: false },
      context.now,
    );
  if (reported.state === "failed") {
    const { reason, code } = reported;
    await recordDecline(tx, payment, { reason: reason ?? "The card was declined.", code }, context.now);
    if (payment.way === "saved_card") await endCheckout(tx, payment, "The card was declined.", context.now);
  }
  // A charge of another amount is refunded, and the payment ends.
  if (payment.way === "saved_card" && reported.state === "paid")
    await endCheckout(tx, payment, "The provider took another sum.", context.now);
  return "done";
}

/** Lists money without a row for an admin, unless an admin has had it refunded. Makes no posting and no refund. */
async function recordUnmatched(
  tx: Tx,
  reported: ProviderCheckout | ProviderPayment,
  context: SyncContext,
): Promise<SyncResult> {
  if (!reported.money) return "foreign";
  if (await chargeOf(tx, reported.money.providerPayment)) {
    await postFee(tx, reported.money, undefined);
    await recordSettlement(tx, reported.money, undefined);
    return "done";
  }
  await recordDifferences(tx, unmatchedDifferences(reported), context.now);
  return "unmatched";
}

/** Saves the display data of a card with the payer's consent, once per card. A removed card is not restored. */
async function saveCard(
  tx: Tx,
  payment: Payment,
  { card, money }: Pick<ProviderPayment, "card" | "money">,
  { now }: SyncContext,
): Promise<void> {
  if (!card || !money || payment.save_card_notice === null || payment.provider_payment !== money.providerPayment)
    return;
  const { id: paymentId, booking_id: bookingId } = payment;
  if (await insertSavedCard(tx, { paymentId, bookingId, card, now }))
    await publishEvent(tx, "saved_card.changed", { bookingId });
}

async function recordOpen(
  tx: Tx,
  payment: Payment,
  reported: ProviderCheckout,
  context: SyncContext,
): Promise<SyncResult> {
  const other = payment.provider_ref !== null && payment.provider_ref !== reported.ref;
  if (other || payment.checkout_state === "closed" || payment.checkout_state === "paid") return "orphan";
  const checkoutState = nextCheckoutState(payment.checkout_state, "open") ?? payment.checkout_state;
  const address = { provider_ref: reported.ref, checkout_url: reported.url, expires_at: reported.expiresAt };
  await changePayment(
    tx,
    payment,
    {
      ...address,
      checkout_state: checkoutState,
      provider: context.provider,
      needs_lookup: false,
      last_polled_at: context.now,
    },
    context.now,
  );
  return "done";
}

/** The checkout's reference may arrive after the money if the process crashed between call and record. */
async function storeRef(tx: Tx, payment: Payment, reported: ProviderCheckout, context: SyncContext): Promise<void> {
  if (payment.provider_ref !== null) return;
  await changePayment(
    tx,
    payment,
    { provider_ref: reported.ref, expires_at: reported.expiresAt, provider: context.provider },
    context.now,
  );
}

/** Records a charge once. It is applied if it matches the payment exactly, else it stays unapplied and is refunded. */
export async function applyCapturedMoney(
  tx: Tx,
  money: Money,
  payment: Payment,
  ref: string | null,
  context: SyncContext,
): Promise<void> {
  const found = await reasonNotToApply(tx, money, payment, context);
  const replaced = found === "paid twice" ? await unapplyLater(tx, money, payment) : undefined;
  const why = replaced ? null : (found ?? null);
  const fresh = await insertCharge(tx, money, { paymentId: payment.id, ref, why });
  await postFee(tx, money, payment);
  await recordSettlement(tx, money, payment);
  if (!fresh) return;
  if (replaced) return replace(tx, money, payment, replaced, context);
  if (why === null) return applyCharge(tx, money, payment, ref, context);
  await postUnapplied(tx, money, payment);
  await returnUnapplied(tx, money, payment, why, context);
}

/** Records a charge without a payment and plans its full refund, after an admin's decision. */
export async function refundUnmatched(tx: Tx, money: Money, context: SyncContext): Promise<void> {
  const why = "no such payment";
  if (!(await insertCharge(tx, money, { paymentId: null, ref: null, why }))) return;
  await postFee(tx, money, undefined);
  await recordSettlement(tx, money, undefined);
  await postUnapplied(tx, money, undefined);
  const { providerPayment, amount, currency } = money;
  await planUnappliedRefund(tx, { providerPayment, amount, currency, reason: why, now: context.now });
}

async function returnUnapplied(
  tx: Tx,
  money: Unapplied,
  payment: Payment,
  reason: UnappliedPayment["reason"],
  context: SyncContext,
) {
  const { providerPayment, amount, currency } = money;
  await planUnappliedRefund(tx, { providerPayment, amount, currency, reason, now: context.now });
  const of = { paymentId: payment.id, bookingId: payment.booking_id };
  await publishEvent(tx, "payment.unapplied", { providerPayment, ...of, amount, currency, reason });
}

type Unapplied = { providerPayment: string; amount: number; currency: string };

/** Of two charges for one payment the earlier is applied. Returns the later one if it was applied, unless it was partly refunded. */
async function unapplyLater(tx: Tx, money: Money, payment: Payment): Promise<Unapplied | undefined> {
  const charges = await tx
    .selectFrom("provider_charges")
    .selectAll()
    .where((eb) => eb.or([eb("payment_id", "=", payment.id), eb("provider_payment", "=", money.providerPayment)]))
    .execute();
  const recorded = charges.find((charge) => charge.recorded_as === "payment");
  if (!recorded || charges.some((charge) => charge.provider_payment === money.providerPayment)) return undefined;
  const order = recorded.captured_at.getTime() - money.at.getTime();
  if (order < 0 || (order === 0 && recorded.provider_payment < money.providerPayment)) return undefined;
  const refund = await tx.selectFrom("refunds").select("id").where("payment_id", "=", payment.id).executeTakeFirst();
  if (refund) return undefined;
  await unapplyCharge(tx, recorded.provider_payment, "paid twice");
  return { providerPayment: recorded.provider_payment, amount: recorded.amount, currency: recorded.currency };
}

/** Replaces the later charge by the earlier one. The amounts are equal, so the held amount does not change. */
async function replace(tx: Tx, money: Money, payment: Payment, later: Unapplied, context: SyncContext): Promise<void> {
  const fields = { provider_payment: money.providerPayment, provider_charge: money.charge, payment_date: money.at };
  await changePayment(tx, payment, fields, context.now);
  await postUnapplied(tx, money, payment);
  await returnUnapplied(tx, later, payment, "paid twice", context);
}

/** Returns why a charge is not applied, or undefined if it is. A charge reported before keeps its stored decision. */
async function reasonNotToApply(
  tx: Tx,
  money: Money,
  payment: Payment,
  context: SyncContext,
): Promise<UnappliedPayment["reason"] | undefined> {
  if (money.live !== context.live) return "the other mode of the provider";
  if (money.currency !== payment.currency) return "another currency";
  if (money.amount !== payment.amount) return "another amount";
  if (payment.provider_payment !== null && payment.provider_payment !== money.providerPayment) return "paid twice";
  if (payment.checkout_state !== "closed" || payment.provider_payment !== null) return undefined;
  return (await lockLivePayment(tx, payment.booking_id, payment.kind))
    ? "paid for a checkout that was replaced"
    : undefined;
}

async function applyCharge(tx: Tx, money: Money, payment: Payment, ref: string | null, context: SyncContext) {
  const { booking_id: bookingId, id: paymentId, kind, amount, currency } = payment;
  await changePayment(
    tx,
    payment,
    {
      checkout_state: nextCheckoutState(payment.checkout_state, "pay") ?? payment.checkout_state,
      status: "succeeded",
      provider: context.provider,
      provider_ref: payment.provider_ref ?? ref,
      provider_payment: money.providerPayment,
      provider_charge: money.charge,
      payment_date: money.at,
      checkout_url: null,
      last_error: null,
    },
    context.now,
  );
  const direction = { debit: accounts.pspClearing, credit: accounts.held(bookingId) };
  const entries = move(amount, currency, direction);
  await post(tx, { ...ofPayment(`charge:${money.providerPayment}`, payment, money.at), kind: "charge", entries });
  await publishEvent(tx, "payment.succeeded", {
    paymentId,
    bookingId,
    kind,
    amount,
    currency,
    paidAt: money.at.toISOString(),
  });
}

async function postUnapplied(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  const of = ofPayment(`charge:${money.providerPayment}`, payment, money.at);
  const direction = { debit: accounts.pspClearing, credit: accounts.suspense };
  await post(tx, { ...of, kind: "suspense_charge", entries: move(money.amount, money.currency, direction) });
}

/** Posts the provider's fee once it is known. It may be reported later than the charge. */
async function postFee(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  if (!money.fee) return;
  const of = ofPayment(`fee:${money.providerPayment}`, payment, money.at);
  const direction = { debit: accounts.pspFees, credit: accounts.pspClearing };
  await post(tx, { ...of, kind: "provider_fee", entries: move(money.fee.amount, money.fee.currency, direction) });
}

async function recordSettlement(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  const { providerPayment, settled, amount, currency, at } = money;
  if (!settled) return;
  await writeSettlement(tx, providerPayment, settled);
  const of = ofPayment(`charge:${providerPayment}`, payment, at);
  await postConversion(tx, of, { booked: { amount, currency }, settled });
}
