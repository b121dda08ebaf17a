import { type RawBuilder, sql } from "kysely";
import { bookingMatches } from "#bookings/index.ts";
import { type Reader, countRows, onPage, orderOf } from "#platform/db/index.ts";
import { platformSettings } from "#settings/index.ts";
import { artistColumn, bookingColumn } from "./columns.ts";
import type { ContractFilters, ListedContract } from "./contracts.api.ts";
import { periodOf } from "./payments-search.views.ts";
import type { contractSorts } from "./payments.rules.ts";

const canBeSigned = sql<boolean>`(c.signed_status = 'sent' and b.status = 'contract_sent')`;

function conditionOf(status: NonNullable<ContractFilters["status"]>) {
  if (status === "to_sign") return canBeSigned;
  return status === "ended" ? sql<boolean>`b.canceled_at is not null` : sql<boolean>`c.signed_status = ${status}`;
}

export function contractsWhere({ search, status, ...days }: ContractFilters, timeZone: string): RawBuilder<boolean> {
  const { from, to } = periodOf(days, timeZone);
  const conditions = [
    status ? conditionOf(status) : sql<boolean>`true`,
    ...(from ? [sql<boolean>`c.signed_at >= ${from}`] : []),
    ...(to ? [sql<boolean>`c.signed_at < ${to}`] : []),
    ...(search ? [bookingMatches(search, "admin")] : []),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

const newestFirst = sql`c.created_at desc, c.id desc`;
const columns = {
  artist: sql`lower(a.name)`,
  promoter: sql`lower(b.promoter_name)`,
  event: sql`b.event_date`,
  status: sql`array_position(array['draft', 'sent', 'signed', 'declined'], c.signed_status)`,
  provider: sql`c.provider`,
};
type ListQuery = ContractFilters & Readonly<{ sort?: (typeof contractSorts)[number] | undefined; page: number }>;

export async function listContracts(reader: Reader, query: ListQuery) {
  const order = orderOf(query.sort, columns, sql`c.id`, newestFirst);
  const tables = sql`contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id`;
  const { timeZone } = await platformSettings(reader);
  const found = sql`from ${tables} where ${contractsWhere(query, timeZone)}`;
  const [items, counted] = await Promise.all([
    sql<ListedContract>`
      select c.id, c.signed_status, c.provider, c.sent_at, c.signed_at, c.created_at, c.expires_at,
        coalesce((select jsonb_agg(s.side order by s.signed_at) from contract_signers s where s.contract_id = c.id and s.signed_at is not null), '[]'::jsonb) as signed_sides, ${artistColumn}, ${bookingColumn},
        b.canceled_at as ended_at, b.cancel_code as end_code, jsonb_build_object('mark_signed', ${canBeSigned}) as can
      from ${tables} where c.id in (select c.id ${found} order by ${order} ${onPage(query.page)})
      order by ${order}`.execute(reader),
    countRows(reader, sql`select 1 ${found}`),
  ]);
  return { items: items.rows, ...counted };
}
