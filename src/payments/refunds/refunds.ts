import type { ProviderRefund } from "#gateway/gateway.ts";
import { accounts, type Entry, heldFor, move, post, postConversion, regainedOf } from "#ledger/index.ts";
import { deductFromRelease } from "#payouts/index.ts";
import { isUuid, type Tx } from "#platform/db/index.ts";
import { notFound, conflict, invalid } from "#platform/errors.ts";
import { isAmount, splitOver, takeFromLast, totalLeft } from "#platform/money.rules.ts";
import { lockPayment, type Payment, publishEvent } from "../store.ts";
import { chargeOf } from "../stores/provider-charges.store.ts";
import {
  type Refund,
  findByCause,
  haveSettled,
  insertRefund,
  isPrevented,
  lockRefundRow,
  lockReturnedPart,
  plannedFor,
  publishRefundFailed,
  markRefundFulfilled,
  markRefundReopened,
  reduceRefund,
  waitingRefunds,
  writeProviderState,
} from "../stores/refunds.store.ts";
import { countRefunds, ofPayment, postingOf, postRefund } from "./postings.ts";

/** Plans a refund (minor units) out of held money. A causeKey plans once. Throws if the amount exceeds what is left or held. */
export async function planRefund(
  tx: Tx,
  plan: { paymentId: string; amount: number; reason: string; causeKey: string; now: Date },
): Promise<Refund> {
  const payment = await lockPayment(tx, plan.paymentId);
  if (!payment) throw notFound("There is no such payment.");
  const known = await findByCause(tx, plan.causeKey);
  if (known) return known;
  if (!isAmount(plan.amount) || plan.amount === 0) throw invalid("A refund needs an amount in cents above zero.");
  const { id: payment_id, provider_payment, currency, booking_id: bookingId } = payment;
  if (provider_payment === null) throw conflict("This payment was never paid, so there is nothing to refund.");
  const left = payment.amount - (await plannedFor(tx, provider_payment));
  const held = await heldFor(tx, bookingId, currency);
  if (plan.amount > Math.min(left, held)) throw conflict("This is more than the remaining amount of the payment.");
  const { amount, reason, causeKey: cause_key } = plan;
  const fields = { payment_id, provider_payment, amount, currency, reason, cause_key };
  const refund = await insertRefund(tx, fields, plan.now);
  await postRefund(tx, refund, "planned", payment, plan.now);
  return refund;
}

/** Returns the planned amount in minor units: 0 if nothing is left. */
export async function planRemainingRefund(
  tx: Tx,
  plan: { paymentId: string; reason: string; causeKey: string; now: Date },
): Promise<number> {
  const payment = await lockPayment(tx, plan.paymentId);
  if (!payment?.provider_payment) throw notFound("There is no such payment.");
  const known = await findByCause(tx, plan.causeKey);
  if (known) return known.amount;
  const left = payment.amount - (await plannedFor(tx, payment.provider_payment));
  const amount = Math.min(left, await heldFor(tx, payment.booking_id, payment.currency));
  return amount > 0 ? (await planRefund(tx, { ...plan, amount })).amount : 0;
}

export async function planUnappliedRefund(
  tx: Tx,
  plan: { providerPayment: string; amount: number; currency: string; reason: string; now: Date },
): Promise<void> {
  const { providerPayment: provider_payment, amount, currency, reason, now } = plan;
  const cause_key = `suspense:${provider_payment}`;
  const fields = { payment_id: null, provider_payment, amount, currency, reason, cause_key };
  await postRefund(tx, await insertRefund(tx, fields, now), "planned", undefined, now);
}

/** Syncs a reported refund. One from the dashboard gets a row. "paid_twice": the platform or the payer's bank already paid it. */
export async function syncRefund(
  tx: Tx,
  reported: ProviderRefund,
  now: Date,
): Promise<"done" | "foreign" | "paid_twice"> {
  const charge = reported.providerPayment === null ? undefined : await chargeOf(tx, reported.providerPayment);
  // The second of two reports at the same moment finds the refund of the first.
  if (charge?.payment_id) await lockPayment(tx, charge.payment_id);
  const stored = await lockRefund(tx, reported);
  const isNew = !stored && charge && reported.state !== "failed";
  const fulfilled = isNew ? await lockFulfilled(tx, reported, charge, now) : undefined;
  const refund = isNew ? (fulfilled ?? (await adoptRefund(tx, reported, charge, now))) : stored;
  if (!refund || refund === "paid_twice") return refund ?? "foreign";
  const isKnown = refund.provider_ref === reported.ref;
  if (refund.paid_outside_at !== null || refund.by_dispute_at !== null || refund.amount === 0)
    return reported.state === "failed" || (refund.amount === 0 && isKnown) ? "done" : "paid_twice";
  const payment = refund.payment_id ? await lockPayment(tx, refund.payment_id) : undefined;
  const status = reported.state === "pending" ? "submitted" : reported.state;
  const settled = status === "succeeded" && refund.status !== "succeeded";
  const undone = status === "failed" && refund.status === "succeeded";
  if (status === "submitted" && !fulfilled && ["succeeded", "failed"].includes(refund.status)) return "done";
  if (refund.status === "failed" && refund.provider_ref !== null) return "done";
  await writeProviderState(tx, refund.id, { status, ref: reported.ref, reason: reported.reason }, now);
  if (status === "failed")
    await publishRefundFailed(tx, refund, { reason: reported.reason ?? "no reason given", returned: true });
  if (settled || undone) {
    const step = settled ? "settled" : "undone";
    await postRefund(tx, refund, step, payment, now);
    const sign = settled ? -1 : 1;
    if (reported.settled)
      await postConversion(tx, postingOf(refund, step, payment, now), {
        booked: { amount: sign * refund.amount, currency: refund.currency },
        settled: { amount: sign * reported.settled.amount, currency: reported.settled.currency },
      });
    if (payment) await countRefunds(tx, payment, now);
  }
  if (payment && settled)
    await publishEvent(tx, "refund.succeeded", {
      refundId: refund.id,
      paymentId: payment.id,
      bookingId: payment.booking_id,
      amount: refund.amount,
      madeAtProvider: refund.cause_key.startsWith(providerCause),
      fromRegained: refund.from_regained,
    });
  return "done";
}

const providerCause = "provider:";

type Charge = NonNullable<Awaited<ReturnType<typeof chargeOf>>>;

/** Completes a refund with what the bank took in a lost dispute, out of `from`: that money, or the platform's loss if it was divided before. Call it under the lock of its payment. */
export async function fulfilByDispute(
  tx: Tx,
  refund: Refund,
  { payment, from = accounts.disputeInFlight, now }: { payment: Payment | undefined; from?: string; now: Date },
): Promise<void> {
  await markRefundFulfilled(tx, refund.id, now);
  const direction = { debit: accounts.refundInFlight, credit: from };
  await postRefund(tx, refund, "covered", payment, now, move(refund.amount, refund.currency, direction));
  if (!payment || refund.payment_id === null) return;
  await countRefunds(tx, payment, now);
  const { id: paymentId, booking_id: bookingId } = payment;
  const { id: refundId, amount } = refund;
  await publishEvent(tx, "refund.succeeded", { refundId, paymentId, bookingId, amount, byDispute: true });
}

/** Makes a refund that a lost dispute completed due again, because an appeal won the money back. It requires an admin, like a failed one. Call it under the lock of its payment. */
export async function reopenRefund(tx: Tx, refund: Refund, payment: Payment | undefined, now: Date): Promise<void> {
  await markRefundReopened(tx, refund.id, now);
  await postRefund(tx, refund, "reopened", payment, now);
  if (payment && refund.payment_id !== null) await countRefunds(tx, payment, now);
}

/** Makes part of a refund that a lost dispute completed due again. The refund `by` from the dashboard pays it. */
async function reopenPart(
  tx: Tx,
  refund: Refund,
  { part, by, payment, now }: { part: number; by: Refund; payment: Payment; now: Date },
): Promise<void> {
  await reduceRefund(tx, refund, refund.amount - part, now);
  const { refundInFlight: credit, disputeLoss: debit } = accounts;
  await post(tx, {
    ...ofPayment(`refund:${refund.id}:part_reopened:${by.id}`, payment, now),
    kind: "refund_undone",
    entries: move(part, refund.currency, { debit, credit }),
  });
}

/** Splits an unsent or failed refund: `part` minor units become a new row, which is returned. The rest is sent, or stays failed. Call it under the lock of its payment. */
export async function splitRefund(
  tx: Tx,
  refund: Refund,
  { part, payment, now }: { part: number; payment: Payment | undefined; now: Date },
): Promise<Refund> {
  const { payment_id, provider_payment, currency, reason } = refund;
  await reduceRefund(tx, refund, refund.amount - part, now);
  // Each split reduces the amount, so the key is unique.
  const cause_key = `${refund.cause_key}:part of ${refund.amount}`;
  const own = await insertRefund(tx, { payment_id, provider_payment, amount: part, currency, reason, cause_key }, now);
  // The sum is already in flight. The posting only records that this row carries a part of it.
  const { refundInFlight } = accounts;
  const entries = move(part, currency, { debit: refundInFlight, credit: refundInFlight });
  await postRefund(tx, own, "planned", payment, now, entries);
  return own;
}

async function lockRefund(tx: Tx, reported: ProviderRefund): Promise<Refund | undefined> {
  const byMark = reported.refundId !== null && isUuid(reported.refundId) ? reported.refundId : undefined;
  const found = tx
    .selectFrom("refunds")
    .select(["id", "payment_id"])
    .where((eb) =>
      byMark
        ? eb.or([
            eb.and([eb("id", "=", byMark), eb("provider_ref", "is", null)]),
            eb("provider_ref", "=", reported.ref),
          ])
        : eb("provider_ref", "=", reported.ref),
    )
    .orderBy("provider_ref", (order) => order.asc().nullsLast());
  return lockRefundRow(tx, await found.executeTakeFirst());
}

/** Locks our refund that a refund from the dashboard of the same amount replaces: both would exceed the charge. One that a lost dispute completed is due again if an appeal returned as much. A returned one gets no second reference. */
async function lockFulfilled(tx: Tx, reported: ProviderRefund, charge: Charge, now: Date): Promise<Refund | undefined> {
  if ((await plannedFor(tx, charge.provider_payment)) + reported.amount <= charge.amount) return undefined;
  const planned = tx
    .selectFrom("refunds")
    .select(["id", "payment_id"])
    .where("provider_payment", "=", charge.provider_payment)
    .where((eb) =>
      eb.or([eb("provider_ref", "is", null), eb("status", "=", "failed"), eb("paid_outside_at", "is not", null)]),
    )
    .where("amount", "=", reported.amount)
    .orderBy("paid_outside_at", (order) => order.desc().nullsFirst())
    .orderBy((eb) =>
      eb.and([
        eb("status", "=", "submitted"),
        eb.not(isPrevented({ amount: reported.amount, charged: charge.amount })),
      ]),
    )
    .orderBy("needs_lookup")
    .orderBy("created_at")
    .limit(1);
  const refund = await lockRefundRow(tx, await planned.executeTakeFirst());
  if (refund?.status === "failed" && refund.provider_ref !== null) return undefined;
  if (!refund?.by_dispute_at || refund.payment_id === null) return refund;
  if ((await regainedOf(tx, refund.payment_id, refund.currency)) < refund.amount) return refund;
  await reopenRefund(tx, refund, await lockPayment(tx, refund.payment_id), now);
  return lockRefundRow(tx, refund);
}

/** Locks what a refund from the dashboard replaces of our failed and unconfirmed refunds, if all would exceed the charge: one of the same amount, else the oldest first, and last those that may have been made. Those out of suspense are replaced if only they have one of the same amount, or if they suffice and the payment has none. */
async function lockReplaced(tx: Tx, { amount }: ProviderRefund, charge: Charge, paymentId: string | null) {
  if ((await plannedFor(tx, charge.provider_payment)) + amount <= charge.amount) return [];
  const mayBeMade = ({ needs_lookup, status }: Refund) => needs_lookup || status === "submitted";
  const waiting = (await waitingRefunds(tx, charge.provider_payment, { amount, charged: charge.amount }))
    .toSorted((one, other) => Number(mayBeMade(one)) - Number(mayBeMade(other)))
    .map((refund) => ({ refund, left: refund.amount }));
  const own = waiting.filter(({ refund }) => refund.payment_id === paymentId);
  const unapplied = waiting.filter(({ refund }) => refund.payment_id === null);
  const same = [...own, ...unapplied].find(({ left }) => left === amount);
  const parts = own.length === 0 && totalLeft(unapplied) >= amount ? unapplied : own;
  const open = same ? [same] : parts.toReversed();
  return splitOver(Math.min(amount, totalLeft(open)), open, takeFromLast);
}

async function sourceOf(
  tx: Tx,
  { id: paymentId, booking_id: bookingId, currency }: Payment,
  { amount, ref, now }: { amount: number; ref: string; now: Date },
): Promise<readonly Entry[] | undefined> {
  if ((await heldFor(tx, bookingId, currency)) >= amount)
    return [{ account: accounts.held(bookingId), amount, currency }];
  const reason = "The payment was refunded after the payout.";
  return deductFromRelease(tx, { id: ref, bookingId, paymentId, amount, currency, reason, now });
}

/** Inserts a refund that was made in the dashboard. It is paid from what failed refunds reserved, then from regained money (first of a refund that the loss had completed), then from held money, else by artist and platform, else from suspense. Returns undefined for a pending refund of more than it replaces, because the provider may still cancel it. */
async function adoptRefund(
  tx: Tx,
  reported: ProviderRefund,
  charge: Charge,
  now: Date,
): Promise<Refund | "paid_twice" | undefined> {
  const applied =
    charge.recorded_as === "payment" && charge.payment_id ? await lockPayment(tx, charge.payment_id) : undefined;
  const { amount, currency, ref } = reported;
  const parts = await lockReplaced(tx, reported, charge, applied?.id ?? null);
  const payment = parts.some(({ refund }) => refund.payment_id === null) ? undefined : applied;
  const replaced = parts.reduce((sum, { share }) => sum + share, 0);
  if (reported.state === "pending" && replaced > 0 && replaced < amount) return undefined;
  const wonBack = payment ? Math.min(amount - replaced, await regainedOf(tx, payment.id, currency)) : 0;
  const due = wonBack > 0 ? await lockReturnedPart(tx, charge.provider_payment) : undefined;
  const reopened = due ? Math.min(wonBack, due.part) : 0;
  const regained = wonBack - reopened;
  const rest = amount - replaced - wonBack;
  if (payment) {
    const { own } = await tx
      .selectFrom("refunds")
      .select((eb) => eb.fn.coalesce(eb.fn.sum("amount"), eb.val(0)).as("own"))
      .where("payment_id", "=", payment.id)
      .executeTakeFirstOrThrow();
    if (Number(own) - replaced - reopened + amount > payment.amount) return "paid_twice";
  }
  const from = payment
    ? await sourceOf(tx, payment, { amount: rest, ref, now })
    : [{ account: accounts.suspense, amount: rest, currency }];
  const source = from && payment;
  const made = parts.flatMap(({ refund: { id, cause_key } }) => (cause_key.startsWith(providerCause) ? [id] : []));
  const isDecided = made.length === 0 || (await haveSettled(tx, made));
  const planned = from && isDecided && replaced + reopened === amount ? (parts.at(-1) ?? due)?.refund : undefined;
  const fields = {
    payment_id: source?.id ?? null,
    provider_payment: charge.provider_payment,
    amount,
    currency,
    reason: planned?.reason ?? "It was refunded at the payment provider.",
    cause_key: planned ? `instead of ${planned.id}:${ref}` : `${providerCause}${ref}`,
    from_regained: source ? regained : 0,
  };
  const refund = await insertRefund(tx, fields, now);
  if (from) for (const { refund: one, share } of parts) await reduceRefund(tx, one, one.amount - share, now);
  if (due && source) await reopenPart(tx, due.refund, { part: reopened, by: refund, payment: source, now });
  const paidBy = from && [
    { account: accounts.disputeLoss, amount: regained, currency },
    ...from,
    { account: accounts.refundInFlight, amount: replaced + reopened, currency },
    { account: accounts.refundInFlight, amount: -amount, currency },
  ];
  await postRefund(tx, refund, "planned", source, now, paidBy);
  return refund;
}
