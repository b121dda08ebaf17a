import { sql } from "kysely";
import { documentsOf } from "#invoicing/index.ts";
import { paymentFigures, platformSums, revenue } from "#ledger/index.ts";
import { rowsOf, planEachTime, type Reader, onPage, orderOf } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { maxCounted } from "#platform/list.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { artistColumn, bookingColumn, paymentTables } from "./columns.ts";
import { newestFirst, paymentDay, paymentsWhere, periodOf } from "./payments-search.views.ts";
import type { ListedPayment, PaymentDetails, PaymentFilters, PaymentTotals } from "./payments.api.ts";
import type { paymentSorts } from "./payments.rules.ts";

const columns = (timeZone: string) => sql`
  p.id, p.kind, f.amount, f.refunded_cents, ${paymentFigures.refunding} as refunding_cents, f.disputed_cents, p.currency, p.status, ${paymentFigures.declined} as declined, p.provider, p.provider_ref, p.payment_date, p.created_at,
  (${paymentDay} at time zone ${timeZone}::text)::date::text as day,
  exists (select 1 from disputes d where d.payment_id = p.id and d.closed_at is null) as has_open_dispute, ${artistColumn}, ${bookingColumn}`;

const maxFound = 1_000;

const ordered = {
  artist: sql`lower(a.name)`,
  promoter: sql`lower(b.promoter_name)`,
  paid: paymentDay,
  status: sql`p.status`,
  amount: sql`p.amount`,
};
type ListQuery = PaymentFilters & Readonly<{ sort?: (typeof paymentSorts)[number] | undefined; page: number }>;

/** Returns one page of all payments, newest first by default. The page is selected and the matches are counted first, then its rows are completed. */
export async function listPayments(reader: Reader, query: ListQuery) {
  const order = orderOf(query.sort, ordered, sql`p.id`, newestFirst);
  const max = query.search ? maxFound : maxCounted;
  const { timeZone } = await platformSettings(reader);
  // The other orders read no booking, and the default one begins at the newest payment of an index.
  const named = /artist|promoter/.test(query.sort ?? "")
    ? sql`join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id`
    : sql``;
  const { rows: found } = await sql<{ ids: string[]; total: number }>`${sql.raw(planEachTime)}
    with found as materialized (
      select p.id, row_number() over (order by ${order}) as place from payments p ${named}
      where ${paymentsWhere(query, timeZone, max + 1)} order by ${order} limit ${max + 1}::int)
    select array(select id from found order by place ${onPage(query.page)}) as ids, count(*)::int as total from found`.execute(
    reader,
  );
  const { ids = [], total = 0 } = found[0] ?? {};
  const { rows: items } = await sql<ListedPayment>`
    select ${columns(timeZone)} from ${paymentTables} where p.id = any (${ids}::uuid[]) order by ${order}`.execute(
    reader,
  );
  return { items, total: Math.min(total, max), capped: total > max };
}

/** Returns the revenue of a period by the ledger, and the number of its payments per status. */
export async function readPaymentTotals(reader: Reader, days: Pick<PaymentFilters, "from" | "to">) {
  const { timeZone } = await platformSettings(reader);
  const period = periodOf(days, timeZone);
  const [sums, platform, counts] = await Promise.all([
    revenue(reader, period),
    platformSums(reader, period),
    sql<PaymentTotals["by_status"][number]>`
      select p.status, count(*)::int as count, (count(*) filter (where ${paymentFigures.declined}))::int as declined
      from payments p where ${paymentsWhere(days, timeZone)} group by p.status order by p.status`.execute(reader),
  ]);
  return {
    revenue: sums,
    platform,
    transactions: counts.rows.reduce((sum, row) => sum + row.count, 0),
    by_status: counts.rows,
  };
}

export async function readPayment(reader: Reader, id: string): Promise<PaymentDetails> {
  const { timeZone } = await platformSettings(reader);
  const rows = await rowsOf<Omit<PaymentDetails, "documents">>(reader)`
    select ${columns(timeZone)}, p.provider_payment, p.provider_charge, p.last_error from ${paymentTables} where p.id = ${id}`;
  const [payment] = rows;
  if (!payment) throw notFound("This payment does not exist.");
  const [refunds, postings, documents] = await Promise.all([
    reader
      .selectFrom("refunds")
      .select(["id", "amount", "reason", "status", "provider_ref", "created_at"])
      .where("payment_id", "=", id)
      .where("amount", ">", 0)
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
    sql<PaymentDetails["postings"][number]>`
      select g.id, g.kind, g.posted_at,
        (select jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount, 'currency', e.currency) order by e.id)
         from ledger_entries e where e.group_id = g.id) as entries
      from ledger_groups g where g.payment_id = ${id} order by g.posted_at, g.id`.execute(reader),
    documentsOf(reader, [payment.booking.id], { all: true }),
  ]);
  const shown = documents.filter((one) => one.payment_id === id || one.payment_id === null);
  return { ...payment, refunds, postings: postings.rows, documents: shown };
}
