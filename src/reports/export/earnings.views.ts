import { type RawBuilder, sql } from "kysely";
import { isOfRelease } from "#ledger/index.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { platformSettings } from "#settings/index.ts";
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
  "Time zone",
];

const labels: Readonly<Record<string, string>> = {
  release: "Released after the show",
  cancellation_fee: "Cancellation fee",
  agreed_end: "Agreed end",
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

/** Oldest first. Days are in the platform's time zone. A deduction after the payout counts as paid with its last reversal. A reversal in the provider's dashboard is part of the row of its payout, which is paid again with the transfer that replaces it. */
export async function earningsLines(reader: Reader, artistId: string, year: number | undefined): Promise<Cell[][]> {
  const { timeZone } = await platformSettings(reader);
  const payable = sql`e.account = ${`artist_payable:${artistId}`}`;
  const own = sql`(${payable} or e.account = ${`artist_receivable:${artistId}`})`;
  const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone ${timeZone}::text)::date::text`;
  const yearBegins = (of: number) => sql`make_timestamptz(${of}::int, 1, 1, 0, 0, 0, ${timeZone}::text)`;
  const deductedBy = sql`case g.kind when 'dispute_lost' then 'dispute ' || split_part(g.cause_key, ':', 2) else r.provider_ref end`;
  const rows = await rowsOf<Row>(reader)`
    select ${dayOf(sql`g.posted_at`)} as day, b.number, b.event_date::text as event_date, b.promoter_name, e.currency,
      case when g.kind <> 'release' or b.status <> 'canceled' then g.kind
        when b.canceled_by = 'both' then 'agreed_end' else 'cancellation_fee' end as kind,
      -sum(e.amount) filter (where e.account = 'platform_revenue' or ${own})::bigint as gross, -sum(e.amount) filter (where ${own})::bigint as net,
      ${dayOf(sql`case when bool_or(${payable}) then paid.at else reversed.at end`)} as paid_on,
      case when g.kind = 'release' or paid.is_return then paid.sent else -reversed.sent end::bigint as sent,
      case when g.kind = 'release' or paid.is_return then paid.sent_currency else reversed.sent_currency end as sent_currency
    from ledger_groups g join ledger_entries e on e.group_id = g.id join bookings b on b.id = g.booking_id
      left join payouts o on o.booking_id = b.id and o.artist_id = ${artistId}::uuid
      left join refunds r on g.kind = 'refund_planned' and r.id::text = split_part(g.cause_key, ':', 2)
      left join lateral (
        select case when coalesce(bool_and(t.status = 'succeeded'), true) then coalesce(max(t.sent_at), o.paid_at) end as at,
          sum(t.settled_amount - (select coalesce(sum(v.settled_amount), 0) from transfer_reversals v
              where v.transfer_id = t.id and v.cause_key like 'provider:%' and v.status = 'succeeded'))
            filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as sent,
          min(t.settled_currency) filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as sent_currency,
          bool_or(t.returned_dispute_id is not null) as is_return
        from transfers t where t.payout_id = o.id and t.returned_dispute_id is not distinct from (
          select x.returned_dispute_id from transfers x
          where x.payout_id = o.id and g.cause_key = 'dispute:' || x.returned_dispute_id || ':returned' limit 1)) paid on true
      left join lateral (
        select case when bool_and(m.id is not null) then max(m.posted_at) end as at,
          sum(v.settled_amount) filter (where m.id is not null and v.settled_currency <> v.currency) as sent,
          min(v.settled_currency) filter (where m.id is not null and v.settled_currency <> v.currency) as sent_currency
        from transfers t join transfer_reversals v on v.transfer_id = t.id
          left join ledger_groups m on m.cause_key = 'reversal:' || v.id
        where t.payout_id = o.id and v.cause_key = concat('refund:', ${deductedBy}, ':', t.id)) reversed on true
    where ${isOfRelease}
      and exists (select 1 from ledger_entries e where e.group_id = g.id and ${own})
      ${year === undefined ? sql`` : sql`and g.posted_at >= ${yearBegins(year)} and g.posted_at < ${yearBegins(year + 1)}`}
    group by g.id, g.posted_at, g.kind, b.id, e.currency, paid.at, paid.sent, paid.sent_currency, paid.is_return, reversed.at, reversed.sent,
      reversed.sent_currency
    having sum(e.amount) filter (where ${own}) is not null
    order by g.posted_at, g.id, e.currency`;
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
    timeZone,
  ]);
}
