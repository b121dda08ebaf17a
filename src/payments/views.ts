/** Views of payments. Amounts are minor units of their currency. */

import { sql } from "kysely";
import { paymentFigures } from "#ledger/index.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import type { Reader } from "#platform/db/index.ts";

const paymentViews = (reader: Reader) =>
  reader
    .selectFrom("payments as p")
    .innerJoin(
      sql<{ payment_id: string; amount: number; refunded_cents: number; disputed_cents: number }>`payment_figures`.as(
        "f",
      ),
      "f.payment_id",
      "p.id",
    )
    .select(["p.id", "p.booking_id", "p.kind", "p.currency", "p.status", "p.provider", "p.provider_ref"])
    .select(["p.payment_date", "p.created_at", "f.amount", "f.refunded_cents as amount_refunded"])
    .select([paymentFigures.declined.as("declined"), paymentFigures.kept.as("kept"), "f.disputed_cents as disputed"]);

/** Returns the payment of a checkout session, with the receipt's address if another payer paid for the promoter. */
export const paymentBySession = (reader: Reader, sessionId: string) =>
  paymentViews(reader)
    .leftJoin("payment_payers as payer", "payer.payment_id", "p.id")
    .select("payer.email as receipt_email")
    .where("p.provider_ref", "=", sessionId)
    .executeTakeFirst();

export const paymentsOf = async (reader: Reader, bookingIds: readonly string[]) =>
  bookingIds.length === 0
    ? []
    : paymentViews(reader)
        .where("p.booking_id", "in", [...bookingIds])
        .orderBy("p.created_at")
        .orderBy("p.id")
        .execute();

/** The progress of an attempt to pay. `requested`: a page was requested. `opened`: the provider returned one. `mayBePaid`: it was paid, or the provider has not confirmed its end. */
const attempts = (reader: Reader, bookingId: string, kind: PaymentKind) =>
  reader
    .selectFrom("payments")
    .select((eb) => [
      "id",
      "checkout_state as checkoutState",
      "created_at as createdAt",
      eb("requested_at", "is not", null).as("requested"),
      eb("provider_ref", "is not", null).as("opened"),
      sql<boolean>`checkout_state in ('reserved', 'open') and requested_at is not null
        or exists (select 1 from provider_charges c where c.payment_id = payments.id)`.as("mayBePaid"),
    ])
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind);

export const livePayment = (reader: Reader, bookingId: string, kind: PaymentKind) =>
  attempts(reader, bookingId, kind).where("checkout_state", "in", ["reserved", "open", "paid"]).executeTakeFirst();

export const attemptsToPay = (reader: Reader, bookingId: string, kind: PaymentKind) =>
  attempts(reader, bookingId, kind).execute();
