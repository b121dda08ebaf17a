import { sql } from "kysely";
import { z } from "zod";
import { findArtistOf } from "#artists/index.ts";
import { completionBlock } from "#bookings/index.ts";
import { type CompletionBlock, completionHours, heldPayoutOf } from "#bookings/rules.ts";
import { documentsOf } from "#invoicing/index.ts";
import { accounts, isOfRelease, payableOf } from "#ledger/index.ts";
import { splitCommission } from "#payments/rules.ts";
import { accountOfUser, payoutsOf } from "#payouts/index.ts";
import { payoutStatuses } from "#payouts/payouts.rules.ts";
import { firstRowOf, rowsOf, type Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { readSort } from "#platform/list.rules.ts";
import { amountIn } from "#platform/money.rules.ts";
import { dayIn, monthsAround } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { otherCurrencies } from "./overview-trends.views.ts";
import type { Payouts, PayoutSort, PayoutTransfer } from "./own-payments.api.ts";

type PayoutsPage = Readonly<{
  limit: number;
  cursor?: string | undefined;
  sort?: PayoutSort | undefined;
  month?: string | undefined;
}>;

const completionMs = completionHours * hourMs;

type Row = {
  id: string;
  number: string;
  event_date: string;
  promoter_name: string;
  currency: string;
  commission_bps: number;
  ends_at: Date;
  held: number;
  released: number;
  to_artist: number;
  is_released: boolean;
  is_canceled: boolean;
  is_agreed: boolean;
  block: CompletionBlock | null;
};

async function findFirstYear(
  reader: Reader,
  { artistId, userId, timeZone }: { artistId: string; userId: string; timeZone: string },
): Promise<number | null> {
  const row = await firstRowOf<{ year: number | null }>(reader)`
    select extract(year from least((select min(g.posted_at) from ledger_groups g join ledger_entries e on e.group_id = g.id
        where e.account = ${`artist_payable:${artistId}`}),
      (select min(occurred_at) from documents where artist_owner_id = ${userId}::uuid)) at time zone ${timeZone}::text)::int as year`;
  return row?.year ?? null;
}

export async function readPayouts(
  reader: Reader,
  userId: string,
  { now, payments, page }: { now: Date; payments: boolean; page: PayoutsPage },
): Promise<Payouts> {
  const { currency, timeZone } = await platformSettings(reader);
  const artist = await findArtistOf(reader, userId);
  const months = monthsAround(dayIn(timeZone, now), { back: 8, ahead: 3 });
  if (!artist)
    return {
      currency,
      earnings_cents: 0,
      pending_cents: 0,
      earnings: [],
      pending: [],
      completed_count: 0,
      first_year: null,
      months: months.map((month) => ({ month, earned_cents: 0, held_cents: 0 })),
      other_currencies: [],
      next: null,
      items: [],
      nextCursor: null,
      onboarding_status: "not_started",
      frozen_until: null,
      bank_return: null,
      ended: null,
      has_profile: false,
      can_connect: false,
    };
  const [earnings, pending, connect, paid, firstYear, { items, nextCursor }, shows] = await Promise.all([
    earningsOf(reader, artist.id),
    payableOf(reader, artist.id),
    accountOfUser(reader, userId),
    reader
      .selectFrom("payments as p")
      .innerJoin("bookings as b", "b.id", "p.booking_id")
      .select((one) => one.fn.countAll<number>().as("count"))
      .where("b.artist_id", "=", artist.id)
      .where("p.status", "=", "succeeded")
      .executeTakeFirstOrThrow(),
    findFirstYear(reader, { artistId: artist.id, userId, timeZone }),
    pageOfPayouts(reader, artist.id, page, now),
    bookingsWithMoney(reader, artist.id, { from: months[0] }),
  ]);
  const bookingIds = items.map((one) => one.booking_id);
  const [allDocuments, transfers] = await Promise.all([
    documentsOf(reader, bookingIds, { ownerId: userId }),
    transfersOf(reader, bookingIds, timeZone),
  ]);
  const documents = allDocuments.filter((one) => one.buyer_artist_id === artist.id);
  return {
    currency,
    earnings_cents: amountIn(earnings, currency),
    pending_cents: amountIn(pending, currency),
    earnings,
    pending,
    completed_count: Number(paid.count),
    first_year: firstYear,
    months: months.map((month) => sumMonth(month, shows, currency)),
    other_currencies: otherCurrencies(
      shows.filter(({ event_date }) => months.some((month) => event_date.startsWith(month))),
      currency,
    ),
    next: await findNextPayout(reader, artist.id, now),
    onboarding_status: connect?.status ?? "not_started",
    frozen_until: connect?.frozen_until && connect.frozen_until > now ? connect.frozen_until : null,
    bank_return: connect?.bankReturn ?? null,
    ended: connect?.ended ?? null,
    has_profile: true,
    can_connect: payments,
    nextCursor,
    items: items.map((item) => ({
      ...item,
      transfers: transfers.filter((one) => one.booking_id === item.booking_id),
      documents: documents.filter((one) => one.booking_id === item.booking_id),
    })),
  };
}

/** Returns what was sent and reversed for these bookings, one entry per day of the platform, oldest first. What is due is last. */
async function transfersOf(reader: Reader, bookingIds: readonly string[], timeZone: string) {
  if (bookingIds.length === 0) return [];
  return rowsOf<PayoutTransfer & { booking_id: string }>(reader)`
    select o.booking_id, m.state, sum(m.amount)::bigint as amount_cents, m.currency, max(m.at) as at
    from payouts o join lateral (
      select case when t.paid_outside_at is null then 'sent' else 'paid_outside' end as state, coalesce(t.settled_amount, t.amount) as amount, coalesce(t.settled_currency, t.currency) as currency, t.sent_at as at
      from transfers t where t.payout_id = o.id and t.status = 'succeeded'
      union all
      select case when g.id is null and t.paid_outside_at is not null then 'owed' when r.status = 'failed' then 'reversal_refused' when g.id is null then 'reversal_due' when r.paid_outside_at is null then 'reversed' else 'paid_back' end,
        coalesce(r.settled_amount, r.amount), coalesce(r.settled_currency, r.currency), g.posted_at
      from transfers t join transfer_reversals r on r.transfer_id = t.id
        left join ledger_groups g on g.cause_key = 'reversal:' || r.id || case when r.amount = 0 then ':converted' else '' end
      where t.payout_id = o.id) m on true
    where o.booking_id = any (${bookingIds}::uuid[])
    group by o.booking_id, m.state, m.currency, (m.at at time zone ${timeZone}::text)::date
    order by max(m.at) nulls last`;
}

type Item = Omit<Payouts["items"][number], "transfers" | "documents">;
type PayoutKey = Readonly<{ of(item: Item): string | number; shape: z.ZodType<string | number> }>;

/** Sort keys of the list. Amounts and status are derived by rules, so they are compared here and not in the database. */
const payoutKeys: Readonly<Record<"promoter" | "event" | "status" | "gross" | "commission" | "net", PayoutKey>> = {
  promoter: { of: (item) => item.promoter_name.toLowerCase(), shape: cursorKeys.text },
  event: { of: (item) => item.event_date, shape: cursorKeys.day },
  status: { of: (item) => payoutStatuses.indexOf(item.status), shape: z.int() },
  gross: { of: (item) => item.gross, shape: z.int() },
  commission: { of: (item) => item.commission, shape: z.int() },
  net: { of: (item) => item.amount, shape: z.int() },
};

/** Returns one page of an artist's transactions. By default only the page is read. With another order all bookings with money are read. */
async function pageOfPayouts(reader: Reader, artistId: string, page: PayoutsPage, now: Date) {
  const { limit, cursor, sort = "-event", month } = page;
  const { column, down } = readSort(sort);
  const { of, shape } = payoutKeys[column];
  const after = readCursor<[string | number, string]>(cursor, z.tuple([shape, cursorKeys.id]));
  const part = page.sort ? {} : { limit, after };
  const rows = await bookingsWithMoney(reader, artistId, { ...part, ...(month ? { from: month, to: month } : {}) });
  const payouts = await payoutsOf(
    reader,
    rows.map(({ id }) => id),
    now,
  );
  type Place = readonly [string | number, string];
  const isBefore = (one: Place, other: Place) => (one[0] === other[0] ? one[1] < other[1] : one[0] < other[0]);
  const isInOrder = (one: Place, other: Place) => (down ? isBefore(other, one) : isBefore(one, other));
  const placed = rows.map((row) => {
    const item = asPayout(row, payouts.get(row.id));
    return { item, place: [of(item), item.booking_id] as const };
  });
  const rest = placed
    .filter(({ place }) => !after || isInOrder(after, place))
    .toSorted((one, other) => (isInOrder(one.place, other.place) ? -1 : 1));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    nextCursor: last && rest.length > shown.length ? cursorFor(last.place) : null,
  };
}

const unsent: ReadonlySet<string> = new Set(["held", "pending", "frozen"] satisfies (typeof payoutStatuses)[number][]);

const isWaiting = ({ waits_for: wait }: Item): boolean => wait !== null && wait !== "date";

/** Returns the unsent payout that is due first, null if there is none. A payout that waits for something else comes after those with a date, and is left out after its date. */
async function findNextPayout(reader: Reader, artistId: string, now: Date): Promise<Item | null> {
  const shows = await bookingsWithMoney(reader, artistId, { isUnsent: true });
  const payouts = await payoutsOf(
    reader,
    shows.map(({ id }) => id),
    now,
  );
  const [next = null] = shows
    .map((row) => {
      const item = asPayout(row, payouts.get(row.id));
      return { ...item, amount: payouts.get(row.id)?.unsent ?? item.amount };
    })
    .filter((one) => unsent.has(one.status) && one.amount > 0 && (!isWaiting(one) || one.due_at > now))
    .toSorted(
      (one, other) =>
        Number(isWaiting(one)) - Number(isWaiting(other)) || one.due_at.getTime() - other.due_at.getTime(),
    );
  return next;
}

function sumMonth(month: string, shows: readonly Row[], currency: string): Payouts["months"][number] {
  const payouts = shows
    .filter((row) => row.event_date.startsWith(month) && row.currency === currency)
    .map((row) => ({ isReleased: row.is_released, amount: asPayout(row, undefined).amount }));
  const sum = (isReleased: boolean) =>
    payouts.filter((one) => one.isReleased === isReleased).reduce((total, one) => total + one.amount, 0);
  return { month, earned_cents: sum(true), held_cents: sum(false) };
}

/** A part of the list: the events of some months (YYYY-MM, both included), those with a payout that was not sent in full, and one row more than the page. */
type Part = Readonly<{
  limit?: number;
  after?: readonly [string | number, string] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  isUnsent?: boolean;
}>;

const isSentInFull = sql`exists (
  select 1 from payouts o where o.booking_id = b.id and o.planned_at is not null
    and not exists (select 1 from transfers t where t.payout_id = o.id and t.status <> 'succeeded'))`;

async function bookingsWithMoney(reader: Reader, artistId: string, part: Part): Promise<Row[]> {
  const { after, from, to, limit, isUnsent = false } = part;
  return rowsOf<Row>(reader)`
    select b.id, b.number, b.event_date, b.promoter_name, b.currency, b.commission_bps, b.ends_at,
      coalesce(-held.sum, 0)::bigint as held, coalesce(given.released, 0)::bigint as released, coalesce(given.to_artist, 0)::bigint as to_artist,
      coalesce(given.is_released, false) as is_released, b.status = 'canceled' as is_canceled, coalesce(b.canceled_by = 'both', false) as is_agreed,
      ${completionBlock} as block
    from bookings b
    left join lateral (
      select sum(e.amount) as sum from ledger_entries e where e.account = 'held:' || b.id and e.currency = b.currency) held on true
    left join lateral (
      select -sum(e.amount) filter (where e.account in ('platform_revenue', 'artist_payable:' || b.artist_id, 'artist_receivable:' || b.artist_id)) as released,
        -sum(e.amount) filter (where e.account in ('artist_payable:' || b.artist_id, 'artist_receivable:' || b.artist_id)) as to_artist,
        bool_or(g.kind = 'release') as is_released
      from ledger_groups g join ledger_entries e on e.group_id = g.id
      where g.booking_id = b.id and ${isOfRelease}) given on true
    where b.artist_id = ${artistId}::uuid and (coalesce(held.sum, 0) <> 0 or given.is_released)
      ${after ? sql`and (b.event_date, b.id) < (${after[0]}::date, ${after[1]}::uuid)` : sql``}
      ${from ? sql`and b.event_date >= ${`${from}-01`}::date` : sql``}
      ${isUnsent ? sql`and not ${isSentInFull}` : sql``}
      ${to ? sql`and b.event_date < ${`${to}-01`}::date + interval '1 month'` : sql``}
    order by b.event_date desc, b.id desc ${limit ? sql`limit ${limit + 1}::int` : sql``}`;
}

/** Returns an artist's earnings from released bookings, less refunds and lost disputes, whether paid out or not. */
const earningsOf = (reader: Reader, artistId: string) =>
  rowsOf<{ currency: string; amount: number }>(reader)`
    select e.currency, -sum(e.amount)::bigint as amount from ledger_entries e join ledger_groups g on g.id = e.group_id
    where e.account in (${accounts.artistPayable(artistId)}, ${accounts.artistReceivable(artistId)}) and ${isOfRelease}
    group by e.currency order by e.currency`;

type Payout = ReturnType<Awaited<ReturnType<typeof payoutsOf>>["get"]>;

function asPayout(row: Row, payout: Payout): Item {
  const { id: booking_id, number, event_date, promoter_name, currency, ends_at } = row;
  const held = heldPayoutOf(row.block);
  const gross = row.is_released ? row.released : Math.max(row.held, 0);
  const amount = row.is_released ? row.to_artist : splitCommission(gross, row.commission_bps).artist;
  return {
    booking_id,
    number,
    event_date,
    promoter_name,
    gross,
    commission: gross - amount,
    amount,
    currency,
    is_cancellation_fee: row.is_canceled && row.is_released && !row.is_agreed,
    is_agreed_end: row.is_agreed && row.is_released,
    status: payout?.status ?? held.status,
    waits_for: payout ? payout.waits : held.waits,
    reversed_cents: payout?.reversed ?? 0,
    sent: payout?.sent ? { amount_cents: payout.sent.amount, currency: payout.sent.currency } : null,
    due_at: payout?.dueAt ?? new Date(ends_at.getTime() + completionMs),
    paid_at: payout?.paidAt ?? null,
  };
}
