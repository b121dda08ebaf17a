/**
 * Facts are folded, events are not applied: hearing a fact again, late or in another order ends in the same state.
 * Everything here runs in one transaction and stands on what was fetched from the provider before it.
 */
import type { Tx } from "#platform/db/index.ts";
import type { ProviderCheckout, Money, ProviderPayment } from "../gateway.ts";
import { accounts, move, post } from "../ledger/ledger.ts";
import { planSuspenseRefund } from "../refunds/refunds.ts";
import { type UnappliedReason, nextCheckoutState } from "../rules.ts";
import { change, endCheckout, lockLive, lockPayment, noteDecline, type Payment, tell } from "../store.ts";

/** What folding needs to know of the world: the present moment, the provider's name, whether money is real. */
export type Frame = Readonly<{ now: Date; provider: string; live: boolean }>;

/** "orphan": an open checkout whose intent is over; the caller ends it at the provider. */
export type Folded = "done" | "orphan" | "foreign";

/** Folds what the provider says about a checkout. The payment is found by the mark that was sent with the call. */
export async function syncCheckout(tx: Tx, fact: ProviderCheckout, frame: Frame): Promise<Folded> {
  if (!fact.paymentId) return "foreign";
  const payment = await lockPayment(tx, fact.paymentId);
  if (fact.money) await takeMoney(tx, fact.money, payment, fact.ref, frame);
  if (!payment) return fact.money ? "done" : "foreign";
  if (fact.state === "open") return openIntent(tx, payment, fact, frame);
  if (fact.state === "paid" || fact.state === "processing") {
    await keepRef(tx, payment, fact, frame);
    return "done";
  }
  if (payment.provider_ref !== null && payment.provider_ref !== fact.ref) return "done";
  await keepRef(tx, payment, fact, frame);
  if (fact.state === "failed") await noteDecline(tx, payment, fact.reason ?? "The payment failed.", frame.now);
  await endCheckout(tx, payment, "The checkout ended without a payment.", frame.now);
  return "done";
}

/** Folds what the provider says about one attempt to pay. */
export async function syncPayment(tx: Tx, fact: ProviderPayment, frame: Frame): Promise<Folded> {
  if (!fact.paymentId) return "foreign";
  const payment = await lockPayment(tx, fact.paymentId);
  if (fact.money) await takeMoney(tx, fact.money, payment, null, frame);
  if (payment && fact.state === "failed")
    await noteDecline(tx, payment, fact.reason ?? "The card was declined.", frame.now);
  return payment || fact.money ? "done" : "foreign";
}

async function openIntent(tx: Tx, payment: Payment, fact: ProviderCheckout, frame: Frame): Promise<Folded> {
  const other = payment.provider_ref !== null && payment.provider_ref !== fact.ref;
  if (other || payment.intent === "closed" || payment.intent === "paid") return "orphan";
  const intent = nextCheckoutState(payment.intent, "open") ?? payment.intent;
  const address = { provider_ref: fact.ref, checkout_url: fact.url, expires_at: fact.expiresAt };
  await change(
    tx,
    payment,
    { ...address, intent, provider: frame.provider, look_up: false, looked_at: frame.now },
    frame.now,
  );
  return "done";
}

/** The reference of the checkout may be learned after the money: a crash lies between the call and the record. */
async function keepRef(tx: Tx, payment: Payment, fact: ProviderCheckout, frame: Frame): Promise<void> {
  if (payment.provider_ref !== null) return;
  await change(
    tx,
    payment,
    { provider_ref: fact.ref, expires_at: fact.expiresAt, provider: frame.provider },
    frame.now,
  );
}

/** Records money once. Kept when it is exactly what the intent asked for, else put aside and given back. */
async function takeMoney(
  tx: Tx,
  money: Money,
  payment: Payment | undefined,
  ref: string | null,
  frame: Frame,
): Promise<void> {
  const found = await reasonAgainst(tx, money, payment, frame);
  const replaced = payment && found === "paid twice" ? await setLaterAside(tx, money, payment) : undefined;
  const why = replaced ? null : (found ?? null);
  const fresh = await tx
    .insertInto("provider_charges")
    .values({
      provider_payment: money.providerPayment,
      payment_id: payment?.id ?? null,
      checkout_ref: ref,
      charge: money.charge,
      amount: money.amount,
      currency: money.currency,
      taken_at: money.at,
      taken_as: why === null ? "payment" : "suspense",
      why,
    })
    .onConflict((on) => on.column("provider_payment").doNothing())
    .returning("provider_payment")
    .executeTakeFirst();
  await postFee(tx, money, payment);
  if (!fresh) return;
  if (payment && replaced) return replace(tx, money, payment, replaced, frame);
  if (payment && why === null) return keep(tx, money, payment, ref, frame);
  await postAside(tx, money, payment);
  await sendBack(tx, money, payment, why ?? "no such payment", frame);
}

/** Plans the way back of money that is not kept, and says so. */
async function sendBack(tx: Tx, money: Aside, payment: Payment | undefined, reason: UnappliedReason, frame: Frame) {
  const { providerPayment, amount, currency } = money;
  await planSuspenseRefund(tx, { providerPayment, amount, currency, reason, now: frame.now });
  const of = { paymentId: payment?.id ?? null, bookingId: payment?.booking_id ?? null };
  await tell(tx, "payment.unapplied", { providerPayment, ...of, amount, currency, reason });
}

type Aside = { providerPayment: string; amount: number; currency: string };

/**
 * Of two payments for one intent the earlier is kept (at the same second: the smaller reference), whichever was heard of
 * first. Answers the later one that was kept until now, unless part of it was given back already.
 */
async function setLaterAside(tx: Tx, money: Money, payment: Payment): Promise<Aside | undefined> {
  const charges = await tx
    .selectFrom("provider_charges")
    .selectAll()
    .where((eb) => eb.or([eb("payment_id", "=", payment.id), eb("provider_payment", "=", money.providerPayment)]))
    .execute();
  const kept = charges.find((charge) => charge.taken_as === "payment");
  if (!kept || charges.some((charge) => charge.provider_payment === money.providerPayment)) return undefined;
  const order = kept.taken_at.getTime() - money.at.getTime();
  if (order < 0 || (order === 0 && kept.provider_payment < money.providerPayment)) return undefined;
  const refund = await tx.selectFrom("refunds").select("id").where("payment_id", "=", payment.id).executeTakeFirst();
  if (refund) return undefined;
  await tx
    .updateTable("provider_charges")
    .set({ taken_as: "suspense", why: "paid twice" })
    .where("provider_payment", "=", kept.provider_payment)
    .execute();
  return { providerPayment: kept.provider_payment, amount: kept.amount, currency: kept.currency };
}

/** The earlier payment takes the later one's place; the sums are equal, so what is held stays as it is. */
async function replace(tx: Tx, money: Money, payment: Payment, later: Aside, frame: Frame): Promise<void> {
  const fields = { provider_payment: money.providerPayment, provider_charge: money.charge, payment_date: money.at };
  await change(tx, payment, fields, frame.now);
  await postAside(tx, money, payment);
  await sendBack(tx, later, payment, "paid twice", frame);
}

/** Why money is not kept, or undefined when it is. Money heard before is judged as it was then, by its stored row. */
async function reasonAgainst(
  tx: Tx,
  money: Money,
  payment: Payment | undefined,
  frame: Frame,
): Promise<UnappliedReason | undefined> {
  if (!payment) return "no such payment";
  if (money.live !== frame.live) return "the other mode of the provider";
  if (money.currency !== payment.currency) return "another currency";
  if (money.amount !== payment.amount) return "another amount";
  if (payment.provider_payment !== null && payment.provider_payment !== money.providerPayment) return "paid twice";
  if (payment.intent !== "closed" || payment.provider_payment !== null) return undefined;
  return (await lockLive(tx, payment.booking_id, payment.kind)) ? "paid for a checkout that was replaced" : undefined;
}

async function keep(tx: Tx, money: Money, payment: Payment, ref: string | null, frame: Frame): Promise<void> {
  const { booking_id: bookingId, id: paymentId, kind, amount, currency } = payment;
  await change(
    tx,
    payment,
    {
      intent: nextCheckoutState(payment.intent, "pay") ?? payment.intent,
      status: "succeeded",
      provider: frame.provider,
      provider_ref: payment.provider_ref ?? ref,
      provider_payment: money.providerPayment,
      provider_charge: money.charge,
      payment_date: money.at,
      checkout_url: null,
      last_error: null,
    },
    frame.now,
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
  await tell(tx, "payment.succeeded", { paymentId, bookingId, kind, amount, currency, paidAt: money.at.toISOString() });
}

/** Posts money that is going back: it waits in suspense. */
async function postAside(tx: Tx, money: Money, payment: Payment | undefined): Promise<void> {
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

/** The provider may tell its fee later than the charge; it is posted when it is known, once. */
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
