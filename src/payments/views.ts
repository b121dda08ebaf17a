/** Views of payments. Amounts are minor units of their currency. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import type { PaymentStatus } from "./rules/statuses.rules.ts";

/** True if the bank declined the payment and nothing was paid since. A released or expired checkout is not declined. On `payments p`. */
export const isDeclined = sql<boolean>`(p.decline_code is not null and p.payment_date is null)`;

export type PaymentView = {
  id: string;
  booking_id: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  status: PaymentStatus;
  declined: boolean;
  amount_refunded: number;
  provider: string;
  provider_ref: string | null;
  payment_date: Date | null;
  created_at: Date;
};

/** Payments with the amounts of the ledger (the view `payment_figures`). Their own `amount` is the requested one. */
const paymentViews = (reader: Reader) =>
  reader
    .selectFrom("payments as p")
    .innerJoin(
      sql<{ payment_id: string; amount: number; refunded_cents: number }>`payment_figures`.as("f"),
      "f.payment_id",
      "p.id",
    )
    .select(["p.id", "p.booking_id", "p.kind", "p.currency", "p.status", "p.provider", "p.provider_ref"])
    .select(["p.payment_date", "p.created_at", "f.amount", "f.refunded_cents as amount_refunded"])
    .select(isDeclined.as("declined"));

/** Returns the payment of a checkout session, with the receipt's address if another payer paid for the promoter. */
export const paymentBySession = async (
  reader: Reader,
  sessionId: string,
): Promise<(PaymentView & { receipt_email: string | null }) | undefined> =>
  (await paymentViews(reader)
    .leftJoin("payment_payers as payer", "payer.payment_id", "p.id")
    .select("payer.email as receipt_email")
    .where("p.provider_ref", "=", sessionId)
    .executeTakeFirst()) as (PaymentView & { receipt_email: string | null }) | undefined;

export const paymentsOf = async (reader: Reader, bookingIds: readonly string[]): Promise<PaymentView[]> =>
  bookingIds.length === 0
    ? []
    : ((await paymentViews(reader)
        .where("p.booking_id", "in", [...bookingIds])
        .orderBy("p.created_at")
        .orderBy("p.id")
        .execute()) as PaymentView[]);

/** The progress of an attempt to pay. `requested`: a page was requested. `opened`: the provider returned one. */
export type Attempt = { id: string; checkoutState: string; requested: boolean; opened: boolean };

const attemptsQuery = (reader: Reader, bookingId: string, kind: PaymentKind) =>
  reader
    .selectFrom("payments")
    .select(["id", "checkout_state", "requested_at", "provider_ref"])
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind);

const attemptOf = (row: {
  id: string;
  checkout_state: string;
  requested_at: Date | null;
  provider_ref: string | null;
}) => ({
  id: row.id,
  checkoutState: row.checkout_state,
  requested: row.requested_at !== null,
  opened: row.provider_ref !== null,
});

/** Returns the payment that is paid or can be paid for a booking and kind. The database allows one. */
export async function livePayment(reader: Reader, bookingId: string, kind: PaymentKind): Promise<Attempt | undefined> {
  const row = await attemptsQuery(reader, bookingId, kind)
    .where("checkout_state", "in", ["reserved", "open", "paid"])
    .executeTakeFirst();
  return row && attemptOf(row);
}

export const attemptsSince = async (
  reader: Reader,
  want: { bookingId: string; kind: PaymentKind; since: Date },
): Promise<Attempt[]> =>
  (await attemptsQuery(reader, want.bookingId, want.kind).where("created_at", ">=", want.since).execute()).map(
    attemptOf,
  );
