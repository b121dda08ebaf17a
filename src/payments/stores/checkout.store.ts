import { sql } from "kysely";
import type { PaymentKind } from "#ledger/rules.ts";
import { updateById, json, type Tx } from "#platform/db/index.ts";
import type { CollectionMethod } from "../rules/cards.rules.ts";
import type { Payer } from "../rules/payer.rules.ts";
import { type Payment, databaseNow } from "../store.ts";

export type NewPayment = {
  /** The id and method of a payment whose row was lost. Absent: a new payment. */
  lost?: Readonly<{ id: string; way: CollectionMethod }>;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  /** Title on the provider's page, such as "Deposit for Electric Dreams". */
  title: string;
  details?: readonly string[];
  imageUrl?: string | null;
  payerEmail?: string | null;
  payerName?: string | null;
  saveCardNotice?: string | null;
  payer?: Payer | null;
  now: Date;
};

/** Inserts a payment. The unique index prevents a second live one per booking and kind. */
export const insertPayment = (tx: Tx, payment: NewPayment) =>
  tx
    .insertInto("payments")
    .values({
      ...payment.lost,
      booking_id: payment.bookingId,
      kind: payment.kind,
      amount: payment.amount,
      currency: payment.currency,
      title: payment.title,
      description: (payment.details ?? []).map((line) => line.replaceAll(/\s+/g, " ").slice(0, 200)).join("\n"),
      image_url: payment.imageUrl ?? null,
      payer_email: payment.payerEmail ?? null,
      payer_name: payment.payerName ?? null,
      save_card_notice: payment.saveCardNotice ?? null,
      provider: "stripe",
      created_at: payment.now,
      updated_at: payment.now,
    })
    .onConflict((on) =>
      on
        .columns(["booking_id", "kind"])
        .where(sql<boolean>`checkout_state in ('reserved','open','paid')`)
        .doNothing(),
    )
    .execute();

/** Acquires the provider-call lease of a payment for `seconds`. Returns false if another process has it. */
export const acquireLease = async (tx: Tx, paymentId: string, seconds: number): Promise<boolean> =>
  (await tx
    .updateTable("payments")
    .set({ lease_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where("id", "=", paymentId)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", databaseNow)]))
    .returning("id")
    .executeTakeFirst()) !== undefined;

export type RequestDetails = Readonly<{
  successUrl: string;
  cancelUrl: string;
  contractUrl?: string | undefined;
  bookingNumber?: string;
}>;

export const saveRequestDetails = (tx: Tx, paymentId: string, details: RequestDetails) =>
  updateById(tx, "payments", paymentId, { request_params: json(details) });

/** Records that a checkout was not opened, and ends the lease. `needsLookup`: the provider may have opened it. */
export const recordUnopenedCheckout = (tx: Tx, paymentId: string, message: string, needsLookup: boolean) =>
  tx
    .updateTable("payments")
    .set({ lease_until: null, last_error: message, ...(needsLookup ? { needs_lookup: true } : {}) })
    .where("id", "=", paymentId)
    .where("checkout_state", "=", "reserved")
    .execute();

/** Records a poll of an open checkout. Returns undefined if it was polled since `notSince` or is not open. */
export const recordPoll = (tx: Tx, ref: string, now: Date, notSince: Date): Promise<Payment | undefined> =>
  tx
    .updateTable("payments")
    .set({ last_polled_at: now })
    .where("provider_ref", "=", ref)
    .where("checkout_state", "=", "open")
    .where((eb) => eb.or([eb("last_polled_at", "is", null), eb("last_polled_at", "<=", notSince)]))
    .returningAll()
    .executeTakeFirst();

/** Records a poll of these payments now. Payments that stay unchanged are polled after the others next time. */
export async function recordPolls(tx: Tx, payments: readonly { id: string }[], now: Date): Promise<void> {
  if (payments.length === 0) return;
  const ids = payments.map(({ id }) => id);
  await tx.updateTable("payments").set({ last_polled_at: now }).where("id", "in", ids).execute();
}
