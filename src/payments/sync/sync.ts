/**
 * Syncs our rows with the state that the provider reports. Events are never applied one by one: the same state reported again,
 * late or in another order ends in the same rows.
 * Everything here runs in one transaction, with what was fetched from the provider before it.
 */
import type { Tx } from "#platform/db/index.ts";
import type { ProviderCheckout, Money, ProviderPayment } from "#gateway/gateway.ts";
import { insertSavedCard } from "../stores/saved-cards.store.ts";
import { accounts, move, post, postConversion } from "#ledger/index.ts";
import { recordDifferences, unmatchedDifferences } from "../stores/unreconciled.store.ts";
import { planUnappliedRefund } from "../refunds/refunds.ts";
import { type UnappliedReason } from "../rules/events.rules.ts";
import { nextCheckoutState } from "../rules/statuses.rules.ts";
import { change, endCheckout, lockLive, lockPayment, recordDecline, type Payment, publishEvent } from "../store.ts";
import { insertCharge, unapplyCharge, writeSettlement } from "./charges.store.ts";

/** What a sync needs besides the reported state: the present moment, the provider's name, whether money is real. */
export type SyncContext = Readonly<{ now: Date; provider: string; live: boolean }>;

/** "orphan": an open checkout whose payment is over; the caller ends it. "unmatched": our money without a row; an admin decides. */
export type SyncResult = "done" | "orphan" | "foreign" | "unmatched";

/** Syncs what the provider reports of a checkout. The payment is found by the mark that was sent with the call. */
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

/** Syncs one reported attempt to pay. A checkout can be tried again after a decline; a saved-card charge cannot. */
export async function syncPayment(tx: Tx, reported: ProviderPayment, context: SyncContext): Promise<SyncResult> {
  if (!reported.paymentId) return "foreign";
  const payment = await lockPayment(tx, reported.paymentId);
  if (!payment) return recordUnmatched(tx, reported, context);
  if (reported.money) await applyCapturedMoney(tx, reported.money, payment, null, context);
  await saveCard(tx, payment, reported, context);
  if (payment.way === "saved_card" && payment.provider_ref === null)
    await change(
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
  // Money that is not what was asked for goes back; the charge itself has ended.
  if (payment.way === "saved_card" && reported.state === "paid")
    await endCheckout(tx, payment, "The provider took another sum.", context.now);
  return "done";
}

/** Lists money without a row for an admin, unless an admin has had it refunded. No posting is made and nothing is refunded. */
async function recordUnmatched(
  tx: Tx,
  reported: ProviderCheckout | ProviderPayment,
  context: SyncContext,
): Promise<SyncResult> {
  if (!reported.money) return "foreign";
  const { providerPayment } = reported.money;
  const isRecorded = await tx
    .selectFrom("provider_charges")
    .select("provider_payment")
    .where("provider_payment", "=", providerPayment)
    .executeTakeFirst();
  if (isRecorded) {
    await postFee(tx, reported.money, undefined);
    await recordSettlement(tx, reported.money, undefined);
    return "done";
  }
  await recordDifferences(tx, unmatchedDifferences(reported), context.now);
  return "unmatched";
}

/** Keeps what is shown of a card that the payer agreed to have kept, once per card; one that was removed does not come back. */
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
  await change(
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

/** The reference of the checkout may be learned after the money: a crash may happen between the call and the record. */
async function storeRef(tx: Tx, payment: Payment, reported: ProviderCheckout, context: SyncContext): Promise<void> {
  if (payment.provider_ref !== null) return;
  await change(
    tx,
    payment,
    { provider_ref: reported.ref, expires_at: reported.expiresAt, provider: context.provider },
    context.now,
  );
}

/** Records a charge once. It is applied when it is exactly what the payment asked for, else it is unapplied and returned. */
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
  if (why === null) return keep(tx, money, payment, ref, context);
  await postUnapplied(tx, money, payment);
  await returnUnapplied(tx, money, payment, why, context);
}

/** Records a charge that belongs to no payment and plans its full refund. An admin has decided that. */
export async function refundUnmatched(tx: Tx, money: Money, context: SyncContext): Promise<void> {
  const why = "no such payment";
  if (!(await insertCharge(tx, money, { paymentId: null, ref: null, why }))) return;
  await postFee(tx, money, undefined);
  await recordSettlement(tx, money, undefined);
  await postUnapplied(tx, money, undefined);
  await returnUnapplied(tx, money, undefined, why, context);
}

async function returnUnapplied(
  tx: Tx,
  money: Unapplied,
  payment: Payment | undefined,
  reason: UnappliedReason,
  context: SyncContext,
) {
  const { providerPayment, amount, currency } = money;
  await planUnappliedRefund(tx, { providerPayment, amount, currency, reason, now: context.now });
  const of = { paymentId: payment?.id ?? null, bookingId: payment?.booking_id ?? null };
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
  const kept = charges.find((charge) => charge.recorded_as === "payment");
  if (!kept || charges.some((charge) => charge.provider_payment === money.providerPayment)) return undefined;
  const order = kept.captured_at.getTime() - money.at.getTime();
  if (order < 0 || (order === 0 && kept.provider_payment < money.providerPayment)) return undefined;
  const refund = await tx.selectFrom("refunds").select("id").where("payment_id", "=", payment.id).executeTakeFirst();
  if (refund) return undefined;
  await unapplyCharge(tx, kept.provider_payment, "paid twice");
  return { providerPayment: kept.provider_payment, amount: kept.amount, currency: kept.currency };
}

/** The earlier payment takes the later one's place; the sums are equal, so what is held stays as it is. */
async function replace(tx: Tx, money: Money, payment: Payment, later: Unapplied, context: SyncContext): Promise<void> {
  const fields = { provider_payment: money.providerPayment, provider_charge: money.charge, payment_date: money.at };
  await change(tx, payment, fields, context.now);
  await postUnapplied(tx, money, payment);
  await returnUnapplied(tx, later, payment, "paid twice", context);
}

/** Why a charge is not applied, or undefined when it is. A charge reported before is decided as it was then, by its stored row. */
async function reasonNotToApply(
  tx: Tx,
  money: Money,
  payment: Payment,
  context: SyncContext,
): Promise<UnappliedReason | undefined> {
  if (money.live !== context.live) return "the other mode of the provider";
  if (money.currency !== payment.currency) return "another currency";
  if (money.amount !== payment.amount) return "another amount";
  if (payment.provider_payment !== null && payment.provider_payment !== money.providerPayment) return "paid twice";
  if (payment.checkout_state !== "closed" || payment.provider_payment !== null) return undefined;
  return (await lockLive(tx, payment.booking_id, payment.kind)) ? "paid for a checkout that was replaced" : undefined;
}

async function keep(tx: Tx, money: Money, payment: Payment, ref: string | null, context: SyncContext): Promise<void> {
  const { booking_id: bookingId, id: paymentId, kind, amount, currency } = payment;
  await change(
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
  const way = { debit: accounts.pspClearing, credit: accounts.held(bookingId) };
  await post(tx, {
    cause: `charge:${money.providerPayment}`,
    kind: "charge",
    bookingId,
    paymentId,
    at: money.at,
    entries: move(amount, currency, way),
  });
  await publishEvent(tx, "payment.succeeded", {
    paymentId,
    bookingId,
    kind,
    amount,
    currency,
    paidAt: money.at.toISOString(),
  });
}

/** Posts an unapplied charge: it waits in suspense until it is refunded. */
async function postUnapplied(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  const way = { debit: accounts.pspClearing, credit: accounts.suspense };
  await post(tx, {
    cause: `charge:${money.providerPayment}`,
    kind: "suspense_charge",
    bookingId: payment?.booking_id ?? null,
    paymentId: payment?.id ?? null,
    at: money.at,
    entries: move(money.amount, money.currency, way),
  });
}

/** The provider may report its fee later than the charge; it is posted once, when it is known. */
async function postFee(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  if (!money.fee) return;
  const way = { debit: accounts.pspFees, credit: accounts.pspClearing };
  await post(tx, {
    cause: `fee:${money.providerPayment}`,
    kind: "provider_fee",
    bookingId: payment?.booking_id ?? null,
    paymentId: payment?.id ?? null,
    at: money.at,
    entries: move(money.fee.amount, money.fee.currency, way),
  });
}

/** The provider may report what its account received later than the charge; it is stored and posted once, when it is known. */
async function recordSettlement(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
  const { providerPayment, settled, amount, currency, at } = money;
  if (!settled) return;
  await writeSettlement(tx, providerPayment, settled);
  const of = { bookingId: payment?.booking_id ?? null, paymentId: payment?.id ?? null, at };
  await postConversion(tx, { ...of, cause: `charge:${providerPayment}` }, { booked: { amount, currency }, settled });
}
