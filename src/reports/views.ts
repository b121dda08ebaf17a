/** The overviews. Money is read from the ledger. Days are in the platform's time zone. */

import { type NotNull, sql } from "kysely";
import { findArtistOf } from "#artists/index.ts";
import { isPriceConfirmed } from "#artists/rules.ts";
import { openItemsOfArtist } from "#bookings/index.ts";
import { type BookingStatus, bookingStatusNames, heldUntil } from "#bookings/rules.ts";
import { dayStart } from "#calendar/time.rules.ts";
import { paymentFigures, payableOf, revenue } from "#ledger/index.ts";
import { accountOfUser } from "#payouts/index.ts";
import { firstRowOf, rowsOf, type Reader } from "#platform/db/index.ts";
import { dayIn, addDays } from "#platform/time/calendar.rules.ts";
import { platformSettings } from "#settings/index.ts";
import type { AdminOverview, ArtistOverview, OverviewShow } from "./api.ts";
import { artistObject } from "./lists/columns.ts";
import { readPreviousPeriod, readMoneyIn, readNeeds } from "./overview-trends.views.ts";

/** Length in days of the admin's statistics. */
const windowDays = 30;

const aheadCount = 5;

const confirmed: readonly BookingStatus[] = ["deposit_paid", "contract_sent", "contract_signed"];

export async function readAdminOverview(reader: Reader, now: Date): Promise<Omit<AdminOverview, "backup">> {
  const { timeZone, currency } = await platformSettings(reader);
  const to = dayIn(timeZone, now);
  const from = addDays(to, 1 - windowDays);
  const since = dayStart(timeZone, from);
  const before = { from: dayStart(timeZone, addDays(from, -windowDays)), to: since };
  const [counts, sums, statuses, shows, moneyIn, comparison, needs] = await Promise.all([
    countWindow(reader, since, before.from),
    revenue(reader, { from: since }),
    reader
      .selectFrom("bookings")
      .select((one) => ["status", one.fn.countAll<number>().as("count")])
      .groupBy("status")
      .execute(),
    showsQuery(reader)
      .where("b.starts_at", ">=", now)
      .where("b.status", "in", confirmed)
      .orderBy("b.starts_at")
      .orderBy("b.id")
      .limit(aheadCount)
      .execute(),
    readMoneyIn(reader, { to, timeZone, currency }),
    readPreviousPeriod(reader, before, currency),
    readNeeds(reader, now),
  ]);
  const countOf = new Map(statuses.map((row) => [row.status, Number(row.count)]));
  return {
    from,
    to,
    ...counts,
    revenue: sums,
    before: comparison,
    money_in: moneyIn,
    needs,
    by_status: bookingStatusNames.map((status) => ({ status, count: countOf.get(status) ?? 0 })),
    next_shows: shows,
  };
}

type Counts = Pick<AdminOverview, "bookings" | "bookings_before" | "payments" | "contracts_signed" | "active_artists">;

async function countWindow(reader: Reader, since: Date, before: Date): Promise<Counts> {
  const rows = await rowsOf<Counts>(reader)`
    select
      (select count(*)::int from bookings where created_at >= ${since}) as bookings,
      (select count(*)::int from bookings where created_at >= ${before} and created_at < ${since}) as bookings_before,
      (select count(*)::int from payments
        where status = 'succeeded' and payment_date >= ${since} and coalesce(payment_date, created_at) >= ${since}) as payments,
      (select count(*)::int from contracts where signed_status = 'signed' and signed_at >= ${since}) as contracts_signed,
      (select count(*)::int from artists where is_active) as active_artists`;
  const [counts] = rows;
  if (!counts) throw new Error("the counts of the overview are missing");
  return counts;
}

/** `payments`: cards are accepted. */
export async function readArtistOverview(
  reader: Reader,
  userId: string,
  { now, payments }: { now: Date; payments: boolean },
): Promise<ArtistOverview> {
  const { timeZone, currency } = await platformSettings(reader);
  const month = `${dayIn(timeZone, now).slice(0, 8)}01`;
  const artist = await findArtistOf(reader, userId);
  if (!artist) return { month_from: month, has_profile: false, ...nothing };
  const [shows, openItems, deposits, ahead, held, payable, account, lacksMedia] = await Promise.all([
    showsQuery(reader)
      .where("b.artist_id", "=", artist.id)
      .where("b.ends_at", ">", now)
      .where("b.status", "in", confirmed)
      .orderBy("b.starts_at")
      .orderBy("b.id")
      .execute(),
    openItemsOfArtist(reader, artist.id),
    depositsSince(reader, artist.id, dayStart(timeZone, month)),
    showsQuery(reader)
      .where("b.artist_id", "=", artist.id)
      .where("b.ends_at", ">", now)
      .where("b.status", "in", ["initiated", ...confirmed])
      .orderBy("b.starts_at")
      .orderBy("b.id")
      .limit(aheadCount)
      .execute(),
    heldDates(reader, artist.id, now),
    payableOf(reader, artist.id),
    accountOfUser(reader, userId),
    hasNoMedia(reader, artist.id),
  ]);
  const isOwed = payable.some(({ amount }) => amount > 0);
  const accountNeed = paymentAccountNeed(account, isOwed);
  const lacksAccount = payments && accountNeed === null && account?.status !== "completed";
  return {
    month_from: month,
    has_profile: true,
    price_to_confirm: isPriceConfirmed(artist, currency) ? null : currency,
    payment_account: accountNeed,
    open_steps: [...(lacksMedia ? ["media" as const] : []), ...(lacksAccount ? ["payment_account" as const] : [])],
    upcoming_shows: shows.length,
    awaiting_signature: openItems.reduce((sum, one) => sum + one.to_sign, 0),
    ...deposits,
    balances: openItems.reduce((sum, one) => sum + one.balances, 0),
    outstanding: openItems
      .filter((one) => one.unpaid_cents > 0)
      .map(({ currency: of, unpaid_cents: amount }) => ({ currency: of, amount })),
    next_show: shows[0] ?? null,
    ahead,
    held,
  };
}

const nothing = {
  price_to_confirm: null,
  payment_account: null,
  open_steps: [],
  upcoming_shows: 0,
  awaiting_signature: 0,
  deposits: 0,
  deposits_sum: [],
  balances: 0,
  outstanding: [],
  next_show: null,
  ahead: [],
  held: [],
} satisfies Partial<ArtistOverview>;

/** Returns why the user's own payment account needs the user. A former owner's account does not count. `isOwed`: the platform owes the artist money. */
function paymentAccountNeed(account: Awaited<ReturnType<typeof accountOfUser>>, isOwed: boolean) {
  const status = account?.status ?? "not_started";
  if (status === "restricted") return status;
  if (status === "completed" || !isOwed) return null;
  return account?.ended ? "ended" : status === "pending" ? status : "not_started";
}

async function hasNoMedia(reader: Reader, artistId: string): Promise<boolean> {
  const row = await firstRowOf<{ has: boolean }>(reader)`
    select exists (select 1 from artists
        where id = ${artistId}::uuid and (photo_url is not null or video_url is not null))
      or exists (select 1 from artist_media where artist_id = ${artistId}::uuid)
      or exists (select 1 from artist_samples where artist_id = ${artistId}::uuid) as has`;
  return row?.has !== true;
}

async function heldDates(reader: Reader, artistId: string, now: Date): Promise<ArtistOverview["held"]> {
  const rows = await reader
    .selectFrom("date_reservations as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .select(["b.id", "b.event_date", "b.promoter_name", "b.time_zone", "c.expires_at"])
    .where("c.artist_id", "=", artistId)
    .where("c.kind", "=", "hold")
    .where("c.expires_at", ">", now)
    .$narrowType<{ expires_at: NotNull }>()
    .orderBy("b.event_date")
    .orderBy("b.id")
    .execute();
  return rows.map((row) => ({ ...row, expires_at: heldUntil(row.expires_at) }));
}

/** Returns the deposits paid since then and what is left of them, by the figures that the lists of payments sum. */
async function depositsSince(reader: Reader, artistId: string, since: Date) {
  const rows = await rowsOf<{ currency: string; amount: number; count: number }>(reader)`
    select p.currency, sum(kept.cents)::bigint as amount, count(*) filter (where kept.cents > 0)::int as count
    from payments p join payment_figures f on f.payment_id = p.id join bookings b on b.id = p.booking_id
      cross join lateral (select ${paymentFigures.kept} as cents) kept
    where b.artist_id = ${artistId}::uuid and p.kind = 'deposit' and p.status = 'succeeded' and p.payment_date >= ${since}
    group by p.currency order by p.currency`;
  return {
    deposits: rows.reduce((sum, { count }) => sum + count, 0),
    deposits_sum: rows.map(({ currency, amount }) => ({ currency, amount })),
  };
}

const showsQuery = (reader: Reader) =>
  reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .select([
      "b.id",
      "b.event_date",
      "b.event_time",
      "b.event_type",
      "b.guest_count",
      "b.venue_name",
      "b.promoter_name",
      "b.fee_cents",
      "b.currency",
    ])
    .select([
      sql<number>`(
        select coalesce(sum(${paymentFigures.kept}), 0)::int from payments p join payment_figures f on f.payment_id = p.id
        where p.booking_id = b.id)`.as("kept_cents"),
      sql<BookingStatus>`b.status`.as("status"),
      sql<OverviewShow["artist"]>`${artistObject}`.as("artist"),
      // Per listed show: with `exists`, PostgreSQL would read all payments.
      sql<boolean>`(
        select count(*) > 0 from payments p where p.booking_id = b.id and p.kind = 'balance' and p.status = 'succeeded')`.as(
        "balance_paid",
      ),
    ]);
