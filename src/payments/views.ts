/** Reads: payments as people see them, and sums from the ledger. Amounts are minor units beside their currency. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { accounts, type PostingKind } from "#ledger/index.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import type { PaymentStatus } from "./rules/statuses.rules.ts";

export type PaymentView = {
  id: string;
  booking_id: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  status: PaymentStatus;
  amount_refunded: number;
  provider: string;
  provider_ref: string | null;
  payment_date: Date | null;
  created_at: Date;
};

/** The payments with their figures by the ledger (the view `payment_figures`); their own amounts are what the provider was asked for. */
const paymentViews = (reader: Reader) =>
  reader
    .selectFrom("payments as p")
    .innerJoin(
      sql<{ payment_id: string; amount: number; refunded_cents: number }>`payment_figures`.as("f"),
      "f.payment_id",
      "p.id",
    )
    .select(["p.id", "p.booking_id", "p.kind", "p.currency", "p.status", "p.provider", "p.provider_ref"])
    .select(["p.payment_date", "p.created_at", "f.amount", "f.refunded_cents as amount_refunded"]);

export const paymentBySession = async (reader: Reader, sessionId: string): Promise<PaymentView | undefined> =>
  (await paymentViews(reader).where("p.provider_ref", "=", sessionId).executeTakeFirst()) as PaymentView | undefined;

export const paymentsOf = async (reader: Reader, bookingIds: readonly string[]): Promise<PaymentView[]> =>
  bookingIds.length === 0
    ? []
    : ((await paymentViews(reader)
        .where("p.booking_id", "in", [...bookingIds])
        .orderBy("p.created_at")
        .orderBy("p.id")
        .execute()) as PaymentView[]);

/** How far an attempt to pay has come. `asked`: the provider was asked for a page; `opened`: it answered with one. */
export type Attempt = { id: string; checkoutState: string; asked: boolean; opened: boolean };

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
  asked: row.requested_at !== null,
  opened: row.provider_ref !== null,
});

/** The payment that can still be made, or was made, for a booking and kind; the database allows one. */
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

export type Sum = { currency: string; amount: number };

/** The plain balance of an account (debits minus credits) in each currency. */
export async function ledgerBalance(reader: Reader, account: string): Promise<{ currency: string; balance: number }[]> {
  const rows = await reader
    .selectFrom("ledger_entries")
    .select((eb) => ["currency", eb.fn.sum<string>("amount").as("sum")])
    .where("account", "=", account)
    .groupBy("currency")
    .orderBy("currency")
    .execute();
  return rows.map((row) => ({ currency: row.currency, balance: Number(row.sum) }));
}

const owed = async (reader: Reader, account: string): Promise<Sum[]> =>
  (await ledgerBalance(reader, account)).map(({ currency, balance }) => ({ currency, amount: 0 - balance }));

export const heldOf = (reader: Reader, bookingId: string): Promise<Sum[]> => owed(reader, accounts.held(bookingId));

/** What an artist is owed after events: the pending payouts. */
export const payableOf = (reader: Reader, artistId: string): Promise<Sum[]> =>
  owed(reader, accounts.artistPayable(artistId));

const revenueKinds: readonly PostingKind[] = [
  "charge",
  "refund_settled",
  "refund_undone",
  "dispute_withdrawn",
  "dispute_reinstated",
];

/** Returns captured minus refunded per currency. Disputed money counts as refunded; unapplied payments do not count. */
export async function revenue(reader: Reader, span: { from?: Date; to?: Date } = {}): Promise<Sum[]> {
  const rows = await reader
    .selectFrom("ledger_entries as e")
    .innerJoin("ledger_groups as g", "g.id", "e.group_id")
    .select((eb) => ["e.currency", eb.fn.sum<string>("e.amount").as("sum")])
    .where("e.account", "=", accounts.pspClearing)
    .where("g.kind", "in", [...revenueKinds])
    .$if(span.from !== undefined, (query) => query.where("g.posted_at", ">=", span.from ?? new Date(0)))
    .$if(span.to !== undefined, (query) => query.where("g.posted_at", "<", span.to ?? new Date(0)))
    .groupBy("e.currency")
    .orderBy("e.currency")
    .execute();
  return rows.map((row) => ({ currency: row.currency, amount: Number(row.sum) }));
}

/** What was captured and what has gone back, ever, per currency; the difference is the total revenue. */
export async function revenueParts(
  reader: Reader,
): Promise<{ currency: string; captured: number; refunded: number }[]> {
  const rows = await reader
    .selectFrom("ledger_entries as e")
    .innerJoin("ledger_groups as g", "g.id", "e.group_id")
    .select((eb) => [
      "e.currency",
      eb.fn.sum<string | null>("e.amount").filterWhere("g.kind", "=", "charge").as("captured"),
      eb.fn.sum<string | null>("e.amount").filterWhere("g.kind", "!=", "charge").as("returned"),
    ])
    .where("e.account", "=", accounts.pspClearing)
    .where("g.kind", "in", [...revenueKinds])
    .groupBy("e.currency")
    .orderBy("e.currency")
    .execute();
  return rows.map((row) => ({
    currency: row.currency,
    captured: Number(row.captured ?? 0),
    refunded: 0 - Number(row.returned ?? 0),
  }));
}

/** What an artist has earned from released bookings, less what was refunded of them or lost in disputes, per currency: paid out or not. */
export async function earningsOf(reader: Reader, artistId: string): Promise<Sum[]> {
  const rows = await reader
    .selectFrom("ledger_entries as e")
    .innerJoin("ledger_groups as g", "g.id", "e.group_id")
    .select((eb) => ["e.currency", sql<string>`-sum(${eb.ref("e.amount")})`.as("sum")])
    .where("e.account", "in", [accounts.artistPayable(artistId), accounts.artistReceivable(artistId)])
    .where("g.kind", "in", ["release", "refund_planned", "dispute_lost", "dispute_share_returned"])
    .groupBy("e.currency")
    .orderBy("e.currency")
    .execute();
  return rows.map((row) => ({ currency: row.currency, amount: Number(row.sum) }));
}
