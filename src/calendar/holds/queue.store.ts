import { type Insertable, sql } from "kysely";
import {
  hasRow,
  firstRowOf,
  rowsOf,
  updateById,
  type DB,
  type Reader,
  sentWithNext,
  type Tx,
} from "#platform/db/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { assumedShow, nightEnd } from "../night.rules.ts";
import { deadlineOf, type HoldEnd, type QueuedHold } from "../queue.rules.ts";
import { eventSpan, withBuffer } from "../time.rules.ts";
import { rangeOf } from "../views.ts";
import { timeOfHold } from "./held-show.ts";
import { endingSoon, isBeingBooked, isRequested } from "./queue.views.ts";

const busyNoticeHours = 1;

export type StoredHold = QueuedHold &
  Readonly<{
    holdId: string;
    promoterUserId: string | null;
    enteredEmail: string | null;
    bookingId: string | null;
    isRequested: boolean;
    isHidden: boolean;
  }>;

/** Locks the queues of an artist until the transaction ends. Lock order: booking, queues, reservation. */
export const lockQueues = (tx: Tx, artistId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`holds ${artistId}`}, 0)) ${sentWithNext}`.execute(tx);

/** Locks the number of open holds of a promoter. Acquired before the lock of the artist's queues. */
export const lockHoldsOf = (tx: Tx, promoterUserId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`holds of ${promoterUserId}`}, 0)) ${sentWithNext}`.execute(tx);

export const readQueue = (reader: Reader, at: QueueKey, now: Date): Promise<StoredHold[]> =>
  rowsOf<StoredHold>(reader)`
    select n.id, n.hold_id as "holdId", n.promoter_user_id as "promoterUserId", n.rank, n.expires_at as "expiresAt",
      n.challenge_ends_at as "challengeEndsAt", n.must_pay as "mustPay", n.pays_from as "paysFrom",
      lower(h.entered_email) as "enteredEmail", n.booking_id as "bookingId", ${isRequested("n")} as "isRequested",
      ${isBeingBooked("n")} as "isBeingBooked", not (a.is_active and a.is_public) as "isHidden",
      not (a.is_active and a.is_public) or u.deleted_at is not null or coalesce(u.banned_until > ${now}::timestamptz, false) as "isGone"
    from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id left join users u on u.id = n.promoter_user_id
    where n.artist_id = ${at.artistId}::uuid and n.night = ${at.night}::date and n.state = 'active'
    order by n.rank`;

export type QueueKey = Readonly<{ artistId: string; night: string }>;

export const promotersOfQueue = async (reader: Reader, { artistId, night }: QueueKey): Promise<string[]> =>
  (
    await reader
      .selectFrom("hold_nights")
      .select("promoter_user_id")
      .where("artist_id", "=", artistId)
      .where("night", "=", night)
      .where("state", "=", "active")
      .where("promoter_user_id", "is not", null)
      .$narrowType<{ promoter_user_id: string }>()
      .execute()
  ).map(({ promoter_user_id: userId }) => userId);

export const runningChallenge = (reader: Reader, { artistId, night }: QueueKey) =>
  reader
    .selectFrom("hold_challenges")
    .select(["id", "hold_night_id"])
    .where("artist_id", "=", artistId)
    .where("night", "=", night)
    .where("closed_at", "is", null)
    .executeTakeFirst();

export const closeChallenge = (
  tx: Tx,
  { artistId, night }: QueueKey,
  { outcome, now }: { outcome: "moved_up" | "night_booked" | "withdrawn"; now: Date },
) =>
  tx
    .updateTable("hold_challenges")
    .set({ closed_at: now, outcome })
    .where("artist_id", "=", artistId)
    .where("night", "=", night)
    .where("closed_at", "is", null)
    .execute();

/** Stores a challenge. Returns false if the account has challenged for this night before, or another challenge runs. */
export async function insertChallenge(tx: Tx, challenge: Insertable<DB["hold_challenges"]>): Promise<boolean> {
  const stored = await tx
    .insertInto("hold_challenges")
    .values(challenge)
    .onConflict((on) => on.doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

export const endHoldNight = (tx: Tx, id: string, state: HoldEnd, now: Date) =>
  updateById(tx, "hold_nights", id, {
    state,
    ended_rank: sql.ref("rank"),
    rank: null,
    challenge_ends_at: null,
    pays_from: null,
    must_pay: false,
    ended_at: now,
  });

export const writeQueued = (tx: Tx, hold: QueuedHold) =>
  updateById(tx, "hold_nights", hold.id, {
    rank: hold.rank,
    expires_at: hold.expiresAt,
    challenge_ends_at: hold.challengeEndsAt,
    pays_from: hold.paysFrom,
    must_pay: hold.mustPay,
  });

export type HoldOwner = Readonly<{
  promoterUserId: string | null;
  enteredName: string | null;
  enteredEmail: string | null;
}>;
export type HoldEvent = Readonly<{ eventTime: string; eventLocation: string; eventType: string; note: string }>;

export async function insertHold(
  tx: Tx,
  hold: HoldEvent & HoldOwner & { artistId: string; now: Date },
): Promise<string> {
  const { id } = await tx
    .insertInto("holds")
    .values({
      artist_id: hold.artistId,
      promoter_user_id: hold.promoterUserId,
      entered_name: hold.enteredName,
      entered_email: hold.enteredEmail,
      event_time: hold.eventTime,
      event_location: hold.eventLocation,
      event_type: hold.eventType,
      note: hold.note,
      created_at: hold.now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export const insertHoldNight = (tx: Tx, night: Insertable<DB["hold_nights"]>) =>
  tx.insertInto("hold_nights").values(night).returning("id").executeTakeFirstOrThrow();

/** Marks a held night as reported to be busy. Returns false if it was reported less than an hour ago. */
export async function markBusyNotified(tx: Tx, id: string, now: Date): Promise<boolean> {
  const marked = await tx
    .updateTable("hold_nights")
    .set({ busy_notified_at: now })
    .where("id", "=", id)
    .where((eb) =>
      eb.or([
        eb("busy_notified_at", "is", null),
        eb("busy_notified_at", "<=", new Date(now.getTime() - busyNoticeHours * hourMs)),
      ]),
    )
    .returning("id")
    .executeTakeFirst();
  return marked !== undefined;
}

/** Marks the nights of a hold whose end is near as reminded, and returns them with their end. Excludes challenged holds and those being booked, which have other deadlines. */
export async function markReminded(tx: Tx, holdId: string, now: Date) {
  const rows = await rowsOf<{ id: string; night: string; expires_at: Date }>(tx)`
    update hold_nights set reminded_for = expires_at
    where id in (select n.id from ${endingSoon(now)} and n.hold_id = ${holdId}::uuid)
    returning id, to_char(night, 'YYYY-MM-DD') as night, expires_at`;
  return rows.toSorted((one, other) => one.night.localeCompare(other.night));
}

export const writeBooking = (tx: Tx, holdNightId: string, bookingId: string) =>
  updateById(tx, "hold_nights", holdNightId, { booking_id: bookingId });

export async function heldNightsOf(reader: Reader, artistId: string): Promise<string[]> {
  const rows = await rowsOf<{ night: string }>(reader)`
    select distinct to_char(night, 'YYYY-MM-DD') as night from hold_nights
    where artist_id = ${artistId}::uuid and state = 'active' order by 1`;
  return rows.map(({ night }) => night);
}

/** Returns the events of the artist's active holds, or of one night. `id` is the hold's for that night. */
export const activeEventsOf = (reader: Reader, artistId: string, night?: string) =>
  rowsOf<{ id: string; holdId: string; night: string; time: string; location: string }>(reader)`
    select n.id, n.hold_id as "holdId", to_char(n.night, 'YYYY-MM-DD') as night, h.event_time as time, h.event_location as location
    from hold_nights n join holds h on h.id = n.hold_id
    where n.artist_id = ${artistId}::uuid and n.state = 'active' ${night ? sql`and n.night = ${night}::date` : sql``}
    order by n.night, n.rank`;

/** Returns the first night on hold for an event between two local times, the second excluded. */
export const findHoldBetween = (reader: Reader, artistId: string, { from, to }: { from: string; to: string }) =>
  firstRowOf<{ night: string; event_time: string }>(reader)`
    select to_char(n.night, 'YYYY-MM-DD') as night, h.event_time from hold_nights n join holds h on h.id = n.hold_id
    where n.artist_id = ${artistId}::uuid and n.state = 'active' and h.event_time >= ${from} and h.event_time < ${to}
    order by n.night, n.rank limit 1`;

/** Returns the nights with active holds that a time overlaps, unless their reservations are outside of it. */
export async function heldNightsIn(
  reader: Reader,
  artistId: string,
  time: Readonly<{ from: Date; to: Date; night: string; lastNight: string }>,
): Promise<string[]> {
  const rows = await rowsOf<{ night: string }>(reader)`
    select distinct to_char(n.night, 'YYYY-MM-DD') as night from hold_nights n
    where n.artist_id = ${artistId}::uuid and n.state = 'active' and n.night between ${time.night}::date - 1 and ${time.lastNight}::date
      and (select bool_or(r.during && ${rangeOf(time)}) from date_reservations r join hold_nights o on r.hold_night_id = o.id or r.booking_id = o.booking_id
        where o.artist_id = n.artist_id and o.night = n.night) is distinct from false
    order by 1`;
  return rows.map(({ night }) => night);
}

const ofNight = ({ artistId, night }: QueueKey) => sql`booking_id is null and hold_night_id in (
    select id from hold_nights where artist_id = ${artistId}::uuid and night = ${night}::date)`;

export const removeNightReservation = (tx: Tx, at: QueueKey) =>
  sql`delete from date_reservations where ${ofNight(at)}`.execute(tx);

/** Reserves a night for its first hold: from the first need of the evening or an event of its holds, with travel and set-up, until the end of the night and of these needs, without the reserved times around the evening. Returns false if a show, a blocked time or a checkout has the evening. */
export async function reserveNight(
  tx: Tx,
  at: QueueKey & { zone: string },
  first: Pick<QueuedHold, "id" | "expiresAt" | "challengeEndsAt">,
  now: Date,
): Promise<boolean> {
  const until = deadlineOf(first);
  await removeNightReservation(tx, at);
  const { artistId, night, zone } = at;
  const settings = await artistSettings(tx, artistId);
  const { nightEndsAt } = settings;
  const [begin, end] = [nightEnd(addDays(night, -1), zone, nightEndsAt), nightEnd(night, zone, nightEndsAt)];
  const show = eventSpan({ date: night, zone, ...assumedShow });
  const evening = "missing" in show ? begin : show.startsAt;
  const events = await activeEventsOf(tx, artistId, night);
  const needed = [
    "missing" in show ? undefined : withBuffer(show, settings),
    ...events.map((event) => timeOfHold({ ...event, artist: { time_zone: zone }, nightEndsAt }, settings)),
  ].filter((one) => one !== undefined);
  const from = new Date(Math.max(begin.getTime(), Math.min(...needed.map((one) => one.from.getTime()))));
  const to = new Date(Math.max(end.getTime(), ...needed.map((one) => one.to.getTime())));
  return hasRow(tx)`
    with around as (
      select during from date_reservations where artist_id = ${artistId}::uuid and kind <> 'external'
        and during && tstzrange(${from}::timestamptz, ${to}::timestamptz)),
    free as (
      select greatest(${from}::timestamptz, (select max(upper(during)) from around where lower(during) <= ${evening}::timestamptz)) as start,
        least(${to}::timestamptz, (select min(lower(during)) from around where lower(during) > ${evening}::timestamptz)) as stop)
    insert into date_reservations (artist_id, kind, during, expires_at, created_at, hold_night_id)
    select ${artistId}::uuid, 'hold', tstzrange(start, stop), ${until}::timestamptz, ${now}::timestamptz, ${first.id}::uuid
    from free where start <= ${evening}::timestamptz and stop > ${evening}::timestamptz
    on conflict do nothing returning id`;
}
