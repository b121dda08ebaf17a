/** Comparison data of the admin's overview: the thirty days before, the months, and what requires an admin. */
import { sql } from "kysely";
import { hasOpenObjection } from "#payouts/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { addDays, monthsAround } from "#platform/time/calendar.rules.ts";
import type { AdminOverview } from "./api.ts";

type Window = Readonly<{ from: string; to: string; timeZone: string; currency: string }>;

/** Hours after which a paid booking without contract is listed for the admins (24 are promised). */
const contractHours = 20;

const startOf = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`;

/** Returns what promoters paid in each of the last twelve months, including the month of `to`, in cents of the platform's currency. */
export async function readMoneyIn(reader: Reader, window: Window): Promise<AdminOverview["money_in"]> {
  const { to, timeZone, currency } = window;
  const months = monthsAround(to, { back: 11 });
  const { rows } = await sql<{ month: string; kind: string; amount: string }>`
    select to_char(g.posted_at at time zone ${timeZone}, 'YYYY-MM') as month, p.kind, sum(e.amount) as amount
      from ledger_groups g join ledger_entries e on e.group_id = g.id join payments p on p.id = g.payment_id
      where g.posted_at >= ${startOf(`${months[0]}-01`, timeZone)} and g.kind = 'charge'
        and e.account = 'psp_clearing' and e.currency = ${currency} group by 1, 2`.execute(reader);
  const amounts = new Map(rows.map((row) => [`${row.month} ${row.kind}`, Number(row.amount)]));
  return {
    currency,
    months: months.map((month) => ({
      month,
      deposit_cents: amounts.get(`${month} deposit`) ?? 0,
      balance_cents: amounts.get(`${month} balance`) ?? 0,
    })),
  };
}

export async function readBefore(reader: Reader, window: Window): Promise<AdminOverview["before"]> {
  const { from, timeZone, currency } = window;
  const [since, before] = [startOf(from, timeZone), startOf(addDays(from, -30), timeZone)];
  const { rows } = await sql<{ revenue: string; contracts_signed: number; active_artists: number }>`
    select
      (select coalesce(sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
        where g.posted_at >= ${before} and g.posted_at < ${since} and e.account = 'psp_clearing' and e.currency = ${currency}
          and g.kind in ('charge', 'refund_settled', 'refund_undone')) as revenue,
      (select count(*)::int from contracts
        where signed_status = 'signed' and signed_at >= ${before} and signed_at < ${since}) as contracts_signed,
      (select count(*)::int from artists where is_active and created_at < ${since}) as active_artists`.execute(reader);
  const row = rows[0];
  return {
    currency,
    revenue: Number(row?.revenue ?? 0),
    contracts_signed: row?.contracts_signed ?? 0,
    active_artists: row?.active_artists ?? 0,
  };
}

/** Returns what an admin must decide or review, besides failed jobs. */
export async function readNeeds(reader: Reader, now: Date): Promise<AdminOverview["needs"]> {
  const { rows } = await sql<AdminOverview["needs"]>`
    select
      (select count(*)::int from profile_claims where decided_at is null) as claims,
      (select count(*)::int from admin_requests where decided_at is null) as admin_requests,
      (select coalesce(jsonb_agg(jsonb_build_object('id', late.id, 'number', late.number, 'artist', late.name)), '[]'::jsonb) from (
        select b.id, b.number, a.name from bookings b join artists a on a.id = b.artist_id
        where b.status = 'deposit_paid' and b.deposit_paid_at < ${now}::timestamptz - ${contractHours}::int * interval '1 hour'
        order by b.deposit_paid_at, b.id limit 5) late) as late_contracts,
      (select coalesce(jsonb_agg(jsonb_build_object('id', open.id, 'number', open.number, 'artist', open.name)), '[]'::jsonb) from (
        select b.id, b.number, a.name from bookings b join artists a on a.id = b.artist_id
        where exists (select 1 from (select b.id as booking_id) p where ${hasOpenObjection})
        order by b.starts_at, b.id limit 5) open) as objections`.execute(reader);
  return rows[0] ?? { claims: 0, admin_requests: 0, late_contracts: [], objections: [] };
}
