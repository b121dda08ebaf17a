import { type RawBuilder, sql } from "kysely";
import { bookingMatches } from "#bookings/index.ts";
import { paymentFigures } from "#ledger/index.ts";
import { containing } from "#platform/db/index.ts";
import type { PaymentFilters } from "./payments.api.ts";
import { amountOf, type PaymentSavedFilter, withoutPrefix } from "./payments.rules.ts";

const minReferenceLength = 4;

export const paymentDay = sql`coalesce(p.payment_date, p.created_at)`;
export const newestFirst = sql`${paymentDay} desc, p.id desc`;

/** Returns the instants between which the days `from` and `to` lie in the platform's time zone, as SQL. */
export function periodOf({ from, to }: Pick<PaymentFilters, "from" | "to">, timeZone: string) {
  const beginOf = (day: string, later: number) =>
    sql<Date>`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}::text`;
  return { from: from ? beginOf(from, 0) : undefined, to: to ? beginOf(to, 1) : undefined };
}

/** Returns the filters as a condition on `payments p`. `max` limits it to the newest matches. Each alternative uses an index (0120, 0511, 0660). */
export function paymentsWhere(filters: PaymentFilters, timeZone: string, max?: number): RawBuilder<boolean> {
  const narrowed = sql.join(narrowing(filters, timeZone), sql` and `);
  if (!filters.search) return sql<boolean>`(${narrowed})`;
  const limit = max === undefined ? sql`` : sql`order by ${newestFirst} limit ${max}::int`;
  const matching = matchesOf(filters.search).map(
    (match) =>
      sql`(select p.id from payments p join bookings b on b.id = p.booking_id where ${narrowed} and ${match} ${limit})`,
  );
  return sql<boolean>`p.id = any (array(${sql.join(matching, sql` union all `)}))`;
}

const savedFilters: Readonly<Record<PaymentSavedFilter, RawBuilder<boolean>>> = {
  held: sql`p.status = 'succeeded' and exists (
    select 1 from bookings held where held.id = p.booking_id and held.status not in ('completed', 'canceled'))`,
  refunds: sql`exists (select 1 from refunds r where r.payment_id = p.id and r.status <> 'failed' and r.amount > 0)`,
  disputed: sql`exists (select 1 from disputes d where d.payment_id = p.id)`,
  declined: paymentFigures.declined,
};

function narrowing({ status, show, ...days }: PaymentFilters, timeZone: string): RawBuilder<boolean>[] {
  const { from, to } = periodOf(days, timeZone);
  return [
    status ? sql<boolean>`p.status = ${status}` : sql<boolean>`true`,
    ...(show ? [savedFilters[show]] : []),
    ...(from ? [sql<boolean>`${paymentDay} >= ${from}`] : []),
    ...(to ? [sql<boolean>`${paymentDay} < ${to}`] : []),
  ];
}

function matchesOf(search: string): RawBuilder<boolean>[] {
  const amount = amountOf(search);
  const isPart = search.length >= minReferenceLength && !search.includes(" ");
  return [
    bookingMatches(search, "admin"),
    ...(amount === null ? [] : [sql<boolean>`p.amount = ${amount}`]),
    ...(isPart ? [...referenceMatches(search), ...emailMatches(search)] : []),
  ];
}

const lowerPattern = (text: string) => sql`lower(${containing(text)}::text)`;

const referenceMatches = (search: string): RawBuilder<boolean>[] =>
  /^\w+$/.test(search)
    ? [
        sql<boolean>`lower(coalesce(p.provider_ref, '') || chr(10) || coalesce(p.provider_payment, '') || chr(10)
          || coalesce(p.provider_charge, '')) like ${lowerPattern(withoutPrefix(search))}`,
      ]
    : [];

const emailMatches = (search: string): RawBuilder<boolean>[] => [
  sql<boolean>`lower(p.payer_email) like ${lowerPattern(search)}`,
  sql<boolean>`lower(b.promoter_email) like ${lowerPattern(search)}`,
];
