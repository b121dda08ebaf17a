/** Holds as their promoter and their artist see them. Other users see only that a night is on hold. */

import { type RawBuilder, sql } from "kysely";
import { isPriceConfirmed } from "#artists/rules.ts";
import { chargeable, splitPrice } from "#payments/rules.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { type ArtistSettings, withDefaults } from "#settings/rules.ts";
import { canHoldFrom, mayBook } from "../queue.rules.ts";
import { promoterName } from "../views.ts";
import { busyKey, findBusyNights } from "./busy-nights.views.ts";
import type { HoldItem, HoldNightItem } from "./holds.api.ts";
import { againFrom, isBeingBooked, isOpen, isRequested } from "./queue.views.ts";

type Moment = "ended_at" | "again_from" | "challenge_ends_at" | "pays_from" | "first_until";

type NightRow = Omit<HoldNightItem, Moment | "expires_at" | "busy_elsewhere" | "can"> &
  Record<Moment, string | null> & {
    expires_at: string;
    /** A challenge runs, or a challenger who moved up has to pay. */
    is_challenged: boolean;
    queue_is_booked: boolean;
    queue_length: number;
  };

type Row = Omit<HoldItem, "can" | "nights" | "deposit" | "challenge_hours"> & {
  nights: NightRow[];
  artist_id: string;
  base_rate: number;
  price_currency: string;
  settings: ArtistSettings;
  platform_settings: unknown;
};

/** Matches a request made by the artist, which is stored without a browser. */
const isRequestedByArtist = (alias: string) =>
  sql`exists (select 1 from bookings b where b.id = ${sql.ref(`${alias}.booking_id`)} and b.status = 'initiated' and b.request_browser is null)`;

/** Matches as `attemptsToPay`: a deposit during `n` was paid, or the provider has not confirmed the end of its checkout. */
const mayBePaid = sql`exists (select 1 from payments p where p.booking_id = n.booking_id and p.kind = 'deposit' and p.created_at between h.created_at and n.ended_at and (
  p.checkout_state in ('reserved', 'open') and p.requested_at is not null
  or exists (select 1 from provider_charges c where c.payment_id = p.id)))`;

const nights = sql`
  select jsonb_agg(jsonb_build_object(
    'night', to_char(n.night, 'YYYY-MM-DD'), 'rank', n.rank, 'state', n.state, 'expires_at', n.expires_at, 'ended_at', n.ended_at, 'again_from',
    case when ${againFrom} is not null then (select case when bool_and(o.state <> 'active') then max(${againFrom}) end from hold_nights o
      where o.artist_id = n.artist_id and o.night = n.night and o.promoter_user_id = n.promoter_user_id) end,
    'challenge_ends_at', n.challenge_ends_at, 'pays_from', case when n.rank > 1 then n.pays_from end, 'must_pay', n.must_pay, 'booking_id', n.booking_id,
    'being_booked', n.state = 'active' and ${isBeingBooked("n")}, 'requested', n.state = 'active' and ${isRequested("n")},
    'requested_by_artist', n.state = 'active' and ${isRequestedByArtist("n")},
    'may_be_paid', n.state <> 'active' and ${mayBePaid},
    'released_for', (select to_char(o.night, 'YYYY-MM-DD') from hold_nights o
      where o.hold_id = n.hold_id and o.state = 'booked' and n.state = 'released' and o.ended_at = n.ended_at limit 1),
    'first_until', case when n.rank > 1 then q.first_until end, 'queue_length', q.length, 'queue_is_booked', q.is_booked,
    'is_challenged', q.must_pay or c.running is not null, 'is_challenger', coalesce(c.running = n.id, false),
    'has_challenged', exists (select 1 from hold_challenges o
      where o.artist_id = n.artist_id and o.night = n.night and o.promoter_user_id = n.promoter_user_id)) order by n.night)
  from hold_nights n
  cross join lateral (
    select count(*)::int as length, coalesce(bool_or(o.must_pay), false) as must_pay, coalesce(bool_or(${isBeingBooked("o")}), false) as is_booked,
      max(coalesce(o.challenge_ends_at, o.expires_at)) filter (where o.rank = 1) as first_until
    from hold_nights o where o.artist_id = n.artist_id and o.night = n.night and o.state = 'active') q
  cross join lateral (
    select max(o.hold_night_id::text)::uuid as running from hold_challenges o
    where o.artist_id = n.artist_id and o.night = n.night and o.closed_at is null) c
  where n.hold_id = h.id`;

const newest = sql`h.created_at desc, h.id`;

async function readHolds(reader: Reader, which: RawBuilder<boolean>, order = newest): Promise<Row[]> {
  const rows = await rowsOf<Omit<Row, "settings"> & { artist_settings: unknown }>(reader)`
    select h.id, h.artist_id, json_build_object('name', a.name, 'slug', a.slug, 'genre', a.genre, 'location', a.location, 'time_zone', a.time_zone) as artist,
      ${promoterName()} as promoter_name, h.entered_name is not null as by_hand, h.entered_email as email,
      h.event_time, h.event_location, h.event_type, h.note, h.created_at, a.base_rate, a.price_currency,
      (select s.value from settings s where s.scope = 'artist' and s.owner_id = a.id) as artist_settings,
      (select s.value from settings s where s.scope = 'platform') as platform_settings,
      (${nights}) as nights
    from holds h join artists a on a.id = h.artist_id left join profiles p on p.user_id = h.promoter_user_id
    where ${which} order by ${order}`;
  return rows.map(({ artist_settings, ...row }) => ({ ...row, settings: withDefaults("artist", artist_settings) }));
}

const deadlineIfEntered = sql`(select min(coalesce(n.challenge_ends_at, n.expires_at)) from hold_nights n
  where n.hold_id = h.id and n.state = 'active' and h.entered_name is not null)`;

/** Returns the holds of a promoter, 200 at most: the open ones, their own before those that artists entered, then those that ended within two weeks. */
export async function holdsOfPromoter(reader: Reader, userId: string, now: Date): Promise<HoldItem[]> {
  const recent = sql`exists (select 1 from hold_nights n where n.hold_id = h.id and n.ended_at > ${now}::timestamptz - interval '14 days')`;
  const which = sql<boolean>`h.promoter_user_id = ${userId}::uuid and (${isOpen} or ${recent})`;
  const order = sql`${isOpen} desc, h.entered_name is null desc, ${deadlineIfEntered}, ${newest} limit 200`;
  return toItems(reader, await readHolds(reader, which, order), "promoter", now);
}

export async function holdsOfArtist(
  reader: Reader,
  { artistId, night }: { artistId: string; night?: string | undefined },
  now: Date,
): Promise<HoldItem[]> {
  const onNight = night
    ? sql`exists (select 1 from hold_nights n where n.hold_id = h.id and n.state = 'active' and n.night = ${night}::date)`
    : isOpen;
  const rows = await readHolds(reader, sql`h.artist_id = ${artistId}::uuid and ${onNight}`);
  const items = await toItems(reader, rows, "artist", now);
  const rankOf = (item: HoldItem) => item.nights.find((one) => one.night === night)?.rank ?? 0;
  return night ? items.toSorted((one, other) => rankOf(one) - rankOf(other)) : items;
}

export type HoldSide = "promoter" | "artist";

export async function holdOf(reader: Reader, id: string, side: HoldSide, now: Date): Promise<HoldItem | undefined> {
  const rows = await readHolds(reader, sql`h.id = ${id}::uuid`);
  return (await toItems(reader, rows, side, now))[0];
}

async function toItems(reader: Reader, rows: readonly Row[], side: HoldSide, now: Date): Promise<HoldItem[]> {
  const busy = await findBusyNights(reader, rows);
  return rows.map((row) => toItem(row, { busy, side, now }));
}

type Viewed = Readonly<{ busy: ReadonlySet<string>; side: HoldSide; now: Date }>;

function toItem(row: Row, { busy, side, now }: Viewed): HoldItem {
  const { nights: rows, artist_id: _, base_rate, price_currency, settings: own, platform_settings, ...hold } = row;
  const platform = withDefaults("platform", platform_settings);
  const price = isPriceConfirmed({ base_rate, price_currency }, platform.currency)
    ? chargeable(base_rate, platform.currency)
    : 0;
  const { deposit } = splitPrice(price, own.requireDeposit ? platform.depositPercent : 0, platform.currency);
  const again = { zone: zoneOrUtc(hold.artist.time_zone), notice: own.minimumNotice };
  const separate = rows.map((night) =>
    toNight(night, { isBusy: busy.has(busyKey(row.id, night.night)), side, again, now }),
  );
  // An extension changes all open nights of the hold.
  const canExtend = separate.every(({ state, can }) => state !== "active" || can.extend);
  const items = separate.map((one) => ({ ...one, can: { ...one.can, extend: canExtend && one.can.extend } }));
  const some = (action: keyof HoldItem["can"]) => items.some(({ can }) => can[action]);
  return {
    ...hold,
    email: side === "artist" ? hold.email : null,
    created_at: new Date(hold.created_at),
    deposit: deposit > 0 ? { cents: deposit, currency: platform.currency } : null,
    challenge_hours: own.challengeHours,
    nights: items,
    can: {
      release: some("release"),
      book: some("book"),
      challenge: some("challenge"),
      extend: some("extend"),
      move: some("move"),
      convert: some("convert"),
    },
  };
}

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

type ViewedNight = Readonly<{ isBusy: boolean; side: HoldSide; again: Parameters<typeof canHoldFrom>[2]; now: Date }>;

function toNight(row: NightRow, { isBusy, side, again, now }: ViewedNight): HoldNightItem {
  const { is_challenged, queue_is_booked, queue_length, ...night } = row;
  const [isPromoter, isArtist] = [side === "promoter", side === "artist"];
  const active = night.state === "active";
  const challengeEndsAt = momentOf(night.challenge_ends_at);
  const paysFrom = momentOf(night.pays_from);
  const againAt = momentOf(night.again_from);
  const challenged = challengeEndsAt !== null;
  const isFinal = active && !is_challenged && !challenged;
  return {
    ...night,
    busy_elsewhere: isBusy,
    expires_at: new Date(night.expires_at),
    ended_at: momentOf(night.ended_at),
    again_from: againAt && canHoldFrom(night.night, againAt, again) ? againAt : null,
    challenge_ends_at: challengeEndsAt,
    pays_from: paysFrom,
    first_until: momentOf(night.first_until),
    can: {
      release: active && !night.being_booked,
      book: isPromoter && active && !isBusy && mayBook({ rank: night.rank ?? 0, challengeEndsAt, paysFrom }, now),
      challenge: isPromoter && isFinal && !isBusy && (night.rank ?? 0) > 1 && !night.has_challenged,
      extend: isArtist && active && !challenged && !night.must_pay && !night.is_challenger && !night.being_booked,
      move: isArtist && isFinal && queue_length > 1 && !queue_is_booked,
      convert: isArtist && active && !isBusy && night.rank === 1 && !night.being_booked && !night.requested,
    },
  };
}
