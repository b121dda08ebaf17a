import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { isOfRelease } from "#ledger/index.ts";
import { type Cell, decimal } from "./csv.ts";

export const earningsColumns = [
  "Date",
  "Booking",
  "Event date",
  "Promoter",
  "What",
  "Gross",
  "Commission",
  "Net",
  "Currency",
  "Paid out",
  "Sent",
  "Sent currency",
];

const labels: Readonly<Record<string, string>> = {
  release: "Released after the show",
  cancellation_fee: "Cancellation fee",
  refund_planned: "Refund after the release",
  dispute_lost: "Lost dispute",
  dispute_share_returned: "Returned after a dispute",
};

type Row = Record<"day" | "number" | "event_date" | "promoter_name" | "kind" | "currency", string> & {
  gross: number;
  net: number;
  paid_on: string | null;
  sent: number | null;
  sent_currency: string | null;
};

/** Returns the lines of one year (UTC) or of all years, oldest first. */
export async function earningsLines(reader: Reader, artistId: string, year: number | undefined): Promise<Cell[][]> {
  const own = sql`e.account in (${`artist_payable:${artistId}`}, ${`artist_receivable:${artistId}`})`;
  const { rows } = await sql<Row>`
    select (g.posted_at at time zone 'UTC')::date::text as day, b.number, b.event_date::text as event_date, b.promoter_name, e.currency,
      case when g.kind = 'release' and b.status = 'canceled' then 'cancellation_fee' else g.kind end as kind,
      -sum(e.amount) filter (where e.account = 'platform_revenue' or ${own})::bigint as gross, -sum(e.amount) filter (where ${own})::bigint as net,
      (select max(p.paid_at at time zone 'UTC')::date::text from payouts p where p.booking_id = b.id and p.artist_id = ${artistId}::uuid) as paid_on,
      sent.amount::bigint as sent, sent.currency as sent_currency
    from ledger_groups g join ledger_entries e on e.group_id = g.id join bookings b on b.id = g.booking_id
      left join lateral (
        select sum(t.settled_amount) as amount, t.settled_currency as currency from payouts p join transfers t on t.payout_id = p.id
        where g.kind = 'release' and p.booking_id = b.id and t.status = 'succeeded' and t.settled_currency <> t.currency
          and t.returned_dispute_id is null
        group by t.settled_currency) sent on true
    where ${isOfRelease}
      and exists (select 1 from ledger_entries e where e.group_id = g.id and ${own})
      ${year === undefined ? sql`` : sql`and g.posted_at >= make_timestamptz(${year}, 1, 1, 0, 0, 0, 'UTC') and g.posted_at < make_timestamptz(${year + 1}, 1, 1, 0, 0, 0, 'UTC')`}
    group by g.id, g.posted_at, g.kind, b.id, e.currency, sent.amount, sent.currency
    having sum(e.amount) filter (where ${own}) is not null
    order by g.posted_at, g.id, e.currency`.execute(reader);
  return rows.map((row): Cell[] => [
    row.day,
    row.number,
    row.event_date,
    row.promoter_name,
    labels[row.kind] ?? row.kind,
    decimal(row.gross),
    decimal(row.gross - row.net),
    decimal(row.net),
    row.currency,
    row.paid_on,
    row.sent === null ? null : decimal(row.sent),
    row.sent_currency,
  ]);
}
