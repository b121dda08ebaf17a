import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { accounts, type PostingKind } from "./store.ts";

export type Sum = { currency: string; amount: number };

/** Returns the balance of an account (debits minus credits) per currency, in minor units. */
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

/** Returns what an artist is owed after events: the pending payouts. */
export const payableOf = (reader: Reader, artistId: string): Promise<Sum[]> =>
  owed(reader, accounts.artistPayable(artistId));

const revenueKinds: readonly PostingKind[] = [
  "charge",
  "refund_settled",
  "refund_undone",
  "dispute_withdrawn",
  "dispute_reinstated",
];

/** Returns captured minus refunded per currency. Disputed money counts as refunded. Unapplied payments do not count. */
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

type RevenueParts = { currency: string; captured: number; refunded: number; lost: number; withheld: number };

/** Returns the totals of all time per currency. A refund that a dispute replaced counts as refunded. What is captured less the others is the total revenue. */
export async function revenueParts(reader: Reader): Promise<RevenueParts[]> {
  const { pspClearing, disputeInFlight } = accounts;
  const { rows } = await sql<Record<keyof RevenueParts, string>>`
    select e.currency,
      coalesce(sum(e.amount) filter (where g.kind = 'charge' and e.account = ${pspClearing}), 0) as captured,
      coalesce(-sum(e.amount) filter (where g.kind in ('refund_settled', 'refund_undone', 'suspense_refund_settled')), 0) as refunded,
      coalesce(-sum(e.amount) filter (where g.kind in ('dispute_lost', 'dispute_regained') and e.account = ${disputeInFlight}), 0) as lost,
      coalesce(sum(e.amount) filter (where e.account = ${disputeInFlight}), 0) as withheld
    from ledger_entries e join ledger_groups g on g.id = e.group_id
    where e.account = ${disputeInFlight} or (e.account = ${pspClearing} and g.kind in (${sql.join(revenueKinds)}))
    group by e.currency order by e.currency`.execute(reader);
  return rows.map((row) => ({
    currency: row.currency,
    captured: Number(row.captured),
    refunded: Number(row.refunded),
    lost: Number(row.lost),
    withheld: Number(row.withheld),
  }));
}

/** Returns an artist's earnings from released bookings per currency, less refunds and lost disputes, whether paid out or not. */
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
