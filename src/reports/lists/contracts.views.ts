import { sql } from "kysely";
import { bookingMatches } from "#bookings/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { countRows, onPage } from "#platform/db/pages.ts";
import type { ContractFilters, ListedContract } from "./contracts.api.ts";
import { artistPart, bookingPart } from "./parts.ts";

const canBeSigned = sql<boolean>`(c.signed_status = 'sent' and b.status = 'contract_sent')`;

function conditionOf(status: NonNullable<ContractFilters["status"]>) {
  if (status === "to_sign") return canBeSigned;
  return status === "ended" ? sql<boolean>`b.canceled_at is not null` : sql<boolean>`c.signed_status = ${status}`;
}

/** One page of all contracts, newest first. The page is found first, and its rows are completed afterwards. */
export async function listContracts(reader: Reader, query: ContractFilters & { page: number }) {
  const { search, status } = query;
  const conditions = [...(status ? [conditionOf(status)] : []), ...(search ? [bookingMatches(search)] : [])];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const found = sql`from contracts c join bookings b on b.id = c.booking_id ${where}`;
  const [items, counted] = await Promise.all([
    sql<ListedContract>`
      select c.id, c.signed_status, c.provider, c.sent_at, c.signed_at, c.created_at, ${artistPart}, ${bookingPart},
        b.canceled_at as ended_at, b.cancel_code as end_code, jsonb_build_object('mark_signed', ${canBeSigned}) as can
      from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id
      where c.id in (select c.id ${found} order by c.created_at desc, c.id desc ${onPage(query.page)})
      order by c.created_at desc, c.id desc`.execute(reader),
    countRows(reader, sql`select 1 ${found}`),
  ]);
  return { items: items.rows, ...counted };
}
