import { sql } from "kysely";
import { dayStart } from "#calendar/time.rules.ts";
import { paidIn, revenue } from "#ledger/index.ts";
import { firstRowOf, type Reader } from "#platform/db/index.ts";
import { amountIn } from "#platform/money.rules.ts";
import { monthsAround } from "#platform/time/calendar.rules.ts";
import type { AdminOverview } from "./api.ts";

/** Hours after which a paid booking without contract is listed for the admins (24 are promised). */
const contractHours = 20;

/** Returns what promoters paid in each of the last twelve months, including the month of `to`, in cents of the platform's currency. */
export async function readMoneyIn(
  reader: Reader,
  { to, timeZone, currency }: { to: string; timeZone: string; currency: string },
): Promise<AdminOverview["money_in"]> {
  const months = monthsAround(to, { back: 11 });
  const starts = monthsAround(to, { back: 11, ahead: 1 }).map((month) => dayStart(timeZone, `${month}-01`));
  const rows = await paidIn(
    reader,
    starts.slice(1).map((end, index) => ({ from: starts[index] ?? end, to: end })),
  );
  const own = rows.filter((row) => row.currency === currency);
  const amounts = new Map(own.map((row) => [`${months[row.period]} ${row.payment_kind}`, row.amount]));
  return {
    currency,
    months: months.map((month) => ({
      month,
      deposit_cents: amounts.get(`${month} deposit`) ?? 0,
      balance_cents: amounts.get(`${month} balance`) ?? 0,
    })),
    other_currencies: otherCurrencies(rows, currency),
  };
}

export const otherCurrencies = (rows: readonly { currency: string }[], currency: string): string[] =>
  [...new Set(rows.map((row) => row.currency))].filter((other) => other !== currency).toSorted();

export async function readPreviousPeriod(reader: Reader, { from, to }: { from: Date; to: Date }, currency: string) {
  const sums = await revenue(reader, { from, to });
  const row = await firstRowOf<Pick<AdminOverview["before"], "contracts_signed" | "active_artists">>(reader)`
    select
      (select count(*)::int from contracts
        where signed_status = 'signed' and signed_at >= ${from} and signed_at < ${to}) as contracts_signed,
      (select count(*)::int from artists where is_active and created_at < ${to}) as active_artists`;
  return { currency, revenue: amountIn(sums, currency), ...(row ?? { contracts_signed: 0, active_artists: 0 }) };
}

/** Counts the claims and requests that the page of users lists. */
export async function readNeeds(reader: Reader, now: Date): Promise<AdminOverview["needs"]> {
  const lateBefore = sql`${now}::timestamptz - ${contractHours}::int * interval '1 hour'`;
  const row = await firstRowOf<AdminOverview["needs"]>(reader)`
    select
      (select count(*)::int from profile_claims c join users u on u.id = c.user_id join profiles p on p.user_id = c.user_id
        where c.decided_at is null and p.role = 'artist' and u.deleted_at is null
          and coalesce(u.banned_until <= ${now}::timestamptz, true)) as claims,
      (select count(*)::int from admin_requests r join users u on u.id = r.user_id
        where r.decided_at is null and u.deleted_at is null) as admin_requests,
      (select coalesce(jsonb_agg(jsonb_build_object('id', late.id, 'number', late.number, 'artist', late.name)), '[]'::jsonb) from (
        select b.id, b.number, a.name from bookings b join artists a on a.id = b.artist_id
        where b.status = 'deposit_paid' and b.deposit_paid_at < ${lateBefore}
        order by b.deposit_paid_at, b.id limit 5) late) as late_contracts,
      (select count(*)::int from bookings b where b.status = 'deposit_paid' and b.deposit_paid_at < ${lateBefore}) as late_count`;
  return row ?? { claims: 0, admin_requests: 0, late_contracts: [], late_count: 0 };
}
