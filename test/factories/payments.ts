import { randomUUID } from "node:crypto";
import { accounts, move, post } from "#ledger/index.ts";
import { demoFee, type PaymentKind, type PaymentStatus } from "#payments/rules.ts";
import { databaseNow } from "#payments/store.ts";
import type { Tx } from "#platform/db/index.ts";

export type MakePayment = {
  bookingId: string;
  kind: PaymentKind;
  /** Minor units. */
  amount: number;
  currency?: string;
  status?: PaymentStatus;
  /** The time of the payment and of all its records. */
  at?: Date;
  title?: string;
  /** A fixed id, so a seed is the same each time. */
  id?: string;
};

/**
 * Makes one payment with its provider state, refund and ledger. The references contain their data because the sandbox
 * derives its responses from them: `pi_demo_{currency}_{amount}_{second}_{id}`.
 */
export async function makePayment(tx: Tx, given: MakePayment): Promise<{ id: string; provider_ref: string | null }> {
  const id = given.id ?? randomUUID();
  const at = given.at ?? (await tx.selectNoFrom(databaseNow.as("now")).executeTakeFirstOrThrow()).now;
  const currency = given.currency ?? "usd";
  const status = given.status ?? "succeeded";
  const paid = status === "succeeded" || status === "refunded";
  const tail = `${currency}_${given.amount}_${Math.floor(at.getTime() / 1000)}_${id.replaceAll("-", "")}`;
  const providerRef = status === "requires_payment_method" ? null : `cs_demo_${tail}`;
  await tx
    .insertInto("payments")
    .values({
      id,
      booking_id: given.bookingId,
      kind: given.kind,
      amount: given.amount,
      currency,
      status,
      checkout_state: status === "succeeded" ? "paid" : status === "requires_payment_method" ? "reserved" : "closed",
      title: given.title ?? "",
      provider: "sandbox",
      provider_ref: providerRef,
      provider_payment: paid ? `pi_demo_${tail}` : null,
      provider_charge: paid ? `ch_demo_${tail}` : null,
      amount_refunded: status === "refunded" ? given.amount : 0,
      last_error: status === "failed" ? "The card was declined." : null,
      decline_code: status === "failed" ? "card_declined" : null,
      payment_date: paid ? at : null,
      requested_at: providerRef ? at : null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  if (paid)
    await postCharge(tx, { id, bookingId: given.bookingId, amount: given.amount, currency, at, tail, providerRef });
  if (status === "refunded")
    await postRefund(tx, { id, bookingId: given.bookingId, amount: given.amount, currency, at, tail });
  return { id, provider_ref: providerRef };
}

type Made = { id: string; bookingId: string; amount: number; currency: string; at: Date; tail: string };

async function postCharge(tx: Tx, made: Made & { providerRef: string | null }): Promise<void> {
  const { id, bookingId, amount, currency, at, tail } = made;
  await tx
    .insertInto("provider_charges")
    .values({
      provider_payment: `pi_demo_${tail}`,
      payment_id: id,
      checkout_ref: made.providerRef,
      charge: `ch_demo_${tail}`,
      amount,
      currency,
      settled_amount: amount,
      settled_currency: currency,
      captured_at: at,
      recorded_as: "payment",
    })
    .execute();
  const common = { bookingId, paymentId: id, at };
  const { pspClearing, pspFees, held } = accounts;
  const charge = move(amount, currency, { debit: pspClearing, credit: held(bookingId) });
  await post(tx, { ...common, cause: `charge:pi_demo_${tail}`, kind: "charge", entries: charge });
  const fee = move(demoFee(amount), currency, { debit: pspFees, credit: pspClearing });
  await post(tx, { ...common, cause: `fee:pi_demo_${tail}`, kind: "provider_fee", entries: fee });
}

async function postRefund(tx: Tx, made: Made): Promise<void> {
  const { id, bookingId, amount, currency, at, tail } = made;
  const refundId = randomUUID();
  const provider_payment = `pi_demo_${tail}`;
  const common = { bookingId, paymentId: id, at };
  await tx
    .insertInto("refunds")
    .values({
      id: refundId,
      payment_id: id,
      provider_payment,
      amount,
      currency,
      reason: "The booking was canceled.",
      cause_key: `made:${id}`,
      status: "succeeded",
      provider_ref: `re_demo_${tail}`,
      attempts: 1,
      created_at: at,
      updated_at: at,
    })
    .execute();
  const { pspClearing, refundInFlight, held } = accounts;
  const planned = move(amount, currency, { debit: held(bookingId), credit: refundInFlight });
  await post(tx, { ...common, cause: `refund:${refundId}:planned`, kind: "refund_planned", entries: planned });
  const settled = move(amount, currency, { debit: refundInFlight, credit: pspClearing });
  await post(tx, { ...common, cause: `refund:${refundId}:settled`, kind: "refund_settled", entries: settled });
}
