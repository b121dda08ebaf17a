/** Conditions and reads of the queues of nights, for the commands and jobs of holds. */

import { sql } from "kysely";
import { hasRow, firstRowOf, rowsOf, type Reader } from "#platform/db/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { nightEnd } from "../night.rules.ts";
import { holdRules } from "../queue.rules.ts";
import { nightOfShow, promoterName, type ShowNight } from "../views.ts";

/** Matches a hold whose deposit's checkout is open, or whose request waits for the artist's answer. */
export const isBeingBooked = (alias: string) => sql<boolean>`(exists (
    select 1 from date_reservations r where r.booking_id = ${sql.ref(`${alias}.booking_id`)} and r.kind = 'hold')
  or exists (select 1 from bookings b where b.id = ${sql.ref(`${alias}.booking_id`)} and b.status = 'initiated' and b.answer_due_at is not null))`;

export const isRequested = (alias: string) =>
  sql<boolean>`exists (select 1 from bookings b where b.id = ${sql.ref(`${alias}.booking_id`)} and b.status = 'initiated')`;

export const againFrom = sql`case when state in ('expired', 'lost') or state = 'released' and ended_rank = 1
    then ended_at + make_interval(hours => ${24 * holdRules.againDays}) end`;

/** Matches a hold `h` with an active night. */
export const isOpen = sql`exists (select 1 from hold_nights n where n.hold_id = h.id and n.state = 'active')`;

export const findHold = (reader: Reader, id: string) =>
  reader.selectFrom("holds").select(["id", "artist_id", "promoter_user_id"]).where("id", "=", id).executeTakeFirst();

export const requireHoldArtist = (reader: Reader, artistId: string) =>
  reader
    .selectFrom("artists")
    .select(["id", "user_id", "time_zone"])
    .where("id", "=", artistId)
    .executeTakeFirstOrThrow();

export const activeNightsOf = async (reader: Reader, holdId: string): Promise<string[]> =>
  (
    await reader
      .selectFrom("hold_nights")
      .select("night")
      .where("hold_id", "=", holdId)
      .where("state", "=", "active")
      .orderBy("night")
      .execute()
  ).map(({ night }) => night);

export const hasActiveHolds = (reader: Reader, artistId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from hold_nights where artist_id = ${artistId} and state = 'active' limit 1`;

export async function countOpenHolds(reader: Reader, userId: string): Promise<number> {
  const row = await firstRowOf<{ open: number }>(reader)`
    select count(*)::int as open from holds h
    where h.promoter_user_id = ${userId}::uuid and h.entered_name is null and ${isOpen}`;
  return row?.open ?? 0;
}

/** Returns from when a promoter can hold a night again whose hold expired or was lost, or was released as the first: no promoter can hold a night indefinitely. Null without such a hold. */
export async function readAgainFrom(
  reader: Reader,
  { artistId, night, promoterUserId }: Readonly<{ artistId: string; night: string; promoterUserId: string }>,
): Promise<Date | null> {
  const row = await firstRowOf<{ from: Date | null }>(reader)`
    select max(${againFrom}) as from from hold_nights
    where artist_id = ${artistId}::uuid and night = ${night}::date and promoter_user_id = ${promoterUserId}::uuid`;
  return row?.from ?? null;
}

/** Returns true if a request that waits for the artist's answer needs a part of a night, with travel and set-up. Unverified requests do not count, because any visitor can send them. */
export async function hasRequestToAnswer(
  reader: Reader,
  { artistId, night, zone }: { artistId: string; night: string; zone: string },
  now: Date,
): Promise<boolean> {
  const { nightEndsAt, bufferBefore, bufferAfter } = await artistSettings(reader, artistId);
  return hasRow(reader)`
    select 1 from bookings
    where artist_id = ${artistId}::uuid and status = 'initiated' and answer_due_at > ${now}::timestamptz
      and not needs_confirmation and (promoter_user_id is not null or email_proven_at is not null)
      and starts_at - make_interval(mins => ${bufferBefore}) < ${nightEnd(night, zone, nightEndsAt)}::timestamptz
      and ends_at + make_interval(mins => ${bufferAfter}) > ${nightEnd(addDays(night, -1), zone, nightEndsAt)}::timestamptz
    limit 1`;
}

/** Returns the nights whose queue is due: a hold or a challenge is over, a turn begins, a promoter or the artist was removed, or the reservation is of an earlier version, which wrote a span. A later night is first, because its reservation can end that of the night before. */
export const overdueNights = (reader: Reader, now: Date): Promise<{ artist_id: string; night: string }[]> =>
  rowsOf<{ artist_id: string; night: string }>(reader)`
    select distinct n.artist_id, to_char(n.night, 'YYYY-MM-DD') as night
    from hold_nights n join artists a on a.id = n.artist_id left join users u on u.id = n.promoter_user_id
    where n.state = 'active' and (
      coalesce(n.challenge_ends_at, n.expires_at) <= ${now}::timestamptz and not ${isBeingBooked("n")}
      or n.rank > 1 and n.pays_from <= ${now}::timestamptz
      or not (a.is_active and a.is_public) or u.deleted_at is not null or u.banned_until > ${now}::timestamptz
      or exists (select 1 from date_reservations r where r.hold_night_id = n.id and r.span is not null))
    order by 1, 2 desc limit 500`;

/** Matches holds of accounts that end soon, without a reminder of that end yet. A challenge and an open request have other deadlines. */
export const endingSoon = (now: Date) => sql`hold_nights n join holds h on h.id = n.hold_id
    where n.state = 'active' and n.promoter_user_id is not null and n.reminded_for is distinct from n.expires_at
      and n.expires_at > ${now}::timestamptz and n.expires_at <= ${now}::timestamptz + make_interval(hours => ${holdRules.reminder.hours})
      and n.expires_at >= h.created_at + make_interval(hours => ${holdRules.reminder.minHours})
      and n.challenge_ends_at is null and not n.must_pay and not ${isRequested("n")}
      and not exists (select 1 from hold_challenges c where c.hold_night_id = n.id and c.closed_at is null)`;

export const holdsToRemind = (reader: Reader, now: Date): Promise<{ id: string; artist_id: string }[]> =>
  rowsOf<{ id: string; artist_id: string }>(reader)`
    select distinct h.id, h.artist_id from ${endingSoon(now)} limit 500`;

export const holdReminderTimes = sql`
  select expires_at - make_interval(hours => ${holdRules.reminder.hours}) as at from hold_nights where state = 'active'`;

export const holdDeadlineTimes = sql`
  select unnest(array[coalesce(challenge_ends_at, expires_at), case when rank > 1 then pays_from end]) as at
  from hold_nights where state = 'active'`;

const heldNight = (reader: Reader, { id, night }: { id: string; night: string }) =>
  reader
    .selectFrom("holds as h")
    .innerJoin("hold_nights as n", "n.hold_id", "h.id")
    .innerJoin("artists as a", "a.id", "h.artist_id")
    .leftJoin("users as u", "u.id", "h.promoter_user_id")
    .leftJoin("profiles as p", "p.user_id", "u.id")
    .select(["n.id", "a.slug", "h.event_time", "h.event_location", "h.event_type", "h.note", "u.email", "p.name"])
    .select(["h.promoter_user_id", "h.entered_name", "h.entered_email", "n.rank", "n.booking_id"])
    .select(sql<Date>`coalesce(n.challenge_ends_at, n.expires_at)`.as("until"))
    .select([isBeingBooked("n").as("isBeingBooked"), isRequested("n").as("isRequested")])
    .where("h.id", "=", id)
    .where("n.night", "=", night)
    .where("n.state", "=", "active");

export type HeldNight = NonNullable<Awaited<ReturnType<typeof findHoldToBook>>>;

export const findHoldToBook = (reader: Reader, { userId, ...hold }: { id: string; night: string; userId: string }) =>
  heldNight(reader, hold).where("h.promoter_user_id", "=", userId).executeTakeFirst();

export const findHoldToConvert = (reader: Reader, { userId, ...hold }: { id: string; night: string; userId: string }) =>
  heldNight(reader, hold).where("a.user_id", "=", userId).executeTakeFirst();

type HoldAhead = {
  id: string;
  userId: string | null;
  bookingId: string | null;
  name: string;
  until: Date;
  mayBook: boolean;
};

/** Returns the holds that block a night for other promoters, with promoter and end, the first one first. */
export const activeHoldsOfNight = (reader: Reader, show: ShowNight, now: Date): Promise<HoldAhead[]> =>
  rowsOf<HoldAhead>(reader)`
    select n.id, n.promoter_user_id as "userId", n.booking_id as "bookingId", ${promoterName("a promoter")} as name,
      coalesce(n.challenge_ends_at, n.expires_at) as until, n.rank = 1 or (n.challenge_ends_at is not null and coalesce(n.pays_from <= ${now}::timestamptz, true)) as "mayBook"
    from hold_nights n join holds h on h.id = n.hold_id left join profiles p on p.user_id = n.promoter_user_id
    where n.artist_id = ${show.artistId}::uuid and n.state = 'active' and n.night = ${nightOfShow(show)}
      and (coalesce(n.challenge_ends_at, n.expires_at) > ${now}::timestamptz or ${isBeingBooked("n")})
    order by n.rank`;

export async function findPromoterByEmail(reader: Reader, email: string): Promise<string | null> {
  const row = await reader
    .selectFrom("users as u")
    .innerJoin("profiles as p", "p.user_id", "u.id")
    .select("u.id")
    .where(sql<boolean>`lower(u.email) = ${email.toLowerCase()}`)
    .where("u.deleted_at", "is", null)
    .where("u.email_confirmed_at", "is not", null)
    .where("p.role", "=", "promoter")
    .executeTakeFirst();
  return row?.id ?? null;
}
