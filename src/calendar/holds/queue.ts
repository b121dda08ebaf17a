/** Changes the queue of a night in the transaction of the cause. Each change is published for its users. */

import type { Reader, Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import { artistSettings } from "#settings/index.ts";
import { assumedShow, nightOf } from "../night.rules.ts";
import {
  advanceQueue,
  deadlineOf,
  type HoldChange,
  type HoldChanged,
  type HoldEnd,
  mayBook,
  type QueuedHold,
} from "../queue.rules.ts";
import { lockReservation } from "../store.ts";
import { eventSpan } from "../time.rules.ts";
import { hasReservation, type Range, requireReservedTime } from "../views.ts";
import { busyKey, findBusyNights } from "./busy-nights.views.ts";
import { timeOfHold } from "./held-show.ts";
import {
  activeEventsOf,
  closeChallenge,
  endHoldNight,
  lockQueues,
  markBusyNotified,
  promotersOfQueue,
  type QueueKey,
  readQueue,
  removeNightReservation,
  reserveNight,
  runningChallenge,
  type StoredHold,
  writeBooking,
  writeQueued,
} from "./queue.store.ts";
import { activeNightsOf, hasActiveHolds, requireHoldArtist } from "./queue.views.ts";

export type HoldArtist = Readonly<{ id: string; user_id: string | null; time_zone: string }>;
export type Night = Readonly<{ artist: HoldArtist; night: string }>;

export const queueKeyOf = ({ artist, night }: Night): QueueKey & { zone: string } => ({
  artistId: artist.id,
  night,
  zone: zoneOrUtc(artist.time_zone),
});

function eveningOf(at: Night): Date | undefined {
  const show = eventSpan({ date: at.night, zone: queueKeyOf(at).zone, ...assumedShow });
  return "missing" in show ? undefined : show.startsAt;
}

/** Returns the end of a hold: `until`, or the beginning of the evening before that. */
export function holdEnd(at: Night, until: Date, now: Date): Date {
  const evening = eveningOf(at) ?? now;
  return evening < until ? evening : until;
}

export async function announceChange(
  tx: Tx,
  at: Night,
  hold: Pick<StoredHold, "id" | "promoterUserId" | "rank" | "expiresAt" | "challengeEndsAt" | "paysFrom">,
  change: { to: HoldChange } & Pick<
    HoldChanged,
    "reason" | "byAdmin" | "isBlocked" | "isHidden" | "bookedNight" | "order" | "bookingId" | "aloneUntil"
  >,
): Promise<void> {
  const { to, ...more } = change;
  const rank = ["booked", "released", "expired", "lost", "superseded"].includes(to) ? null : hold.rank;
  const until = deadlineOf(hold).toISOString();
  const waits = rank !== null && rank > 1 && hold.paysFrom;
  await publish(tx, "hold.changed", {
    holdNightId: hold.id,
    change: to,
    rank,
    until,
    ...more,
    ...(waits ? { paysFrom: waits.toISOString() } : {}),
  } satisfies HoldChanged);
  // Each hold of the night shows its rank, the first hold's end and whether a challenge runs.
  const queue = await promotersOfQueue(tx, queueKeyOf(at));
  const userIds = [...new Set([hold.promoterUserId, at.artist.user_id, ...queue])].filter((id) => id !== null);
  await broadcastChange(tx, "bookings", { userIds, admins: true });
}

export type ReleaseReason = Pick<HoldChanged, "reason" | "byAdmin" | "isBlocked" | "isHidden" | "bookedNight">;
type Release = Readonly<{ id: string; why?: ReleaseReason }>;

/** Updates the queue of a night under the artist's lock: ends holds and the released one, moves the others up, and reserves the night for the first. */
export async function advanceNight(tx: Tx, at: Night, now: Date, released?: Release): Promise<StoredHold[]> {
  const key = queueKeyOf(at);
  // A released hold is still read, because the next one gets its turn.
  const before = (await readQueue(tx, key, now)).map((hold) =>
    hold.id === released?.id ? { ...hold, isGone: true } : hold,
  );
  if (before.length === 0) {
    await removeNightReservation(tx, key);
    return before;
  }
  const running = await runningChallenge(tx, key);
  const { ended, queue, challenge } = advanceQueue(before, running?.hold_night_id ?? null, now);
  const stored = new Map(before.map((hold) => [hold.id, hold]));
  for (const { id, state } of ended) {
    const hold = stored.get(id);
    const why = id === released?.id ? released.why : hold?.isHidden ? { isHidden: true } : {};
    if (hold) await end(tx, at, hold, { state, now, ...why });
  }
  if (challenge) await closeChallenge(tx, key, { outcome: challenge, now });
  const left = queue.flatMap((hold) => {
    const own = stored.get(hold.id);
    return own ? [{ ...own, ...hold, expiresAt: holdEnd(at, hold.expiresAt, now) }] : [];
  });
  for (const hold of left) {
    const change = changeOf(stored.get(hold.id), hold);
    if (!change) continue;
    await writeQueued(tx, hold);
    await announceChange(tx, at, hold, { to: change });
  }
  const [first] = left;
  if (!first) await removeNightReservation(tx, key);
  // While a hold of the queue is being booked, the reservation of its checkout may have the evening.
  else await reserveNight(tx, key, first, now);
  return left;
}

function changeOf(before: QueuedHold | undefined, after: QueuedHold): HoldChange | null {
  if (after.mustPay && !before?.mustPay) return "must_pay";
  if (before?.paysFrom && after.challengeEndsAt && !after.paysFrom && after.rank > 1) return "can_book";
  if (before && after.rank !== before.rank) return "moved_up";
  return before?.challengeEndsAt && !after.challengeEndsAt ? "challenge_ended" : null;
}

async function end(
  tx: Tx,
  at: Night,
  hold: StoredHold,
  { state, now, ...why }: { state: HoldEnd; now: Date } & ReleaseReason,
): Promise<void> {
  await endHoldNight(tx, hold.id, state, now);
  await announceChange(tx, at, hold, { to: state, ...why });
}

/** Returns the holds of a night whose events, with travel and set-up, need a part of a time. */
export async function holdsNeeding(
  reader: Reader,
  at: Night,
  queue: readonly StoredHold[],
  { from, to }: Range,
): Promise<StoredHold[]> {
  const { artist, night } = at;
  const settings = await artistSettings(reader, artist.id);
  const ids = (await activeEventsOf(reader, artist.id, night)).flatMap((event) => {
    const needed = timeOfHold({ ...event, artist, nightEndsAt: settings.nightEndsAt }, settings);
    return needed && needed.from < to && from < needed.to ? event.id : [];
  });
  return queue.filter(({ id }) => ids.includes(id));
}

/** Releases all holds of a night that the artist blocks, under the lock of the queues. */
export async function releaseQueue(tx: Tx, at: Night, now: Date): Promise<void> {
  await closeChallenge(tx, queueKeyOf(at), { outcome: "withdrawn", now });
  await removeNightReservation(tx, queueKeyOf(at));
  for (const hold of await readQueue(tx, queueKeyOf(at), now))
    await end(tx, at, hold, { state: "released", now, isBlocked: true });
}

async function busyNightsOf(tx: Tx, artist: HoldArtist) {
  const settings = await artistSettings(tx, artist.id);
  const events = await activeEventsOf(tx, artist.id);
  const busy = await findBusyNights(
    tx,
    events.map(({ holdId, night, time, location }) => ({
      id: holdId,
      artist_id: artist.id,
      artist,
      event_time: time,
      event_location: location,
      settings,
      nights: [{ night, state: "active" }],
    })),
  );
  return events.filter(({ holdId, night }) => busy.has(busyKey(holdId, night)));
}

/** Changes the entries of the artist's other calendars by `change`, and publishes each held night whose booking they newly stop, at most once an hour. */
export async function announceBusyNights(tx: Tx, artistId: string, now: Date, change: () => Promise<unknown>) {
  await lockQueues(tx, artistId);
  if (!(await hasActiveHolds(tx, artistId))) {
    await change();
    return;
  }
  const artist = await requireHoldArtist(tx, artistId);
  const before = new Set((await busyNightsOf(tx, artist)).map(({ id }) => id));
  await change();
  for (const { id, night } of await busyNightsOf(tx, artist)) {
    const at = { artist, night };
    const queue = before.has(id) ? [] : await readQueue(tx, queueKeyOf(at), now);
    const hold = queue.find((one) => one.id === id);
    if (!hold || hold.isBeingBooked || hold.isGone || !(await markBusyNotified(tx, hold.id, now))) continue;
    // The promoter of a hold that the artist entered has no account, and is only known from its request.
    const bookingId = hold.promoterUserId === null && hold.isRequested ? hold.bookingId : null;
    await announceChange(tx, at, hold, { to: "busy", ...(bookingId ? { bookingId } : {}) });
  }
}

type BookingSpan = Readonly<{ id: string; artist_id: string; promoter_user_id: string | null; starts_at: Date }>;

export async function readNight(
  reader: Reader,
  { artist_id, starts_at }: Pick<BookingSpan, "artist_id" | "starts_at">,
): Promise<Night & { nightEndsAt: string }> {
  const artist = await requireHoldArtist(reader, artist_id);
  const { nightEndsAt } = await artistSettings(reader, artist_id);
  return { artist, night: nightOf(starts_at, zoneOrUtc(artist.time_zone), nightEndsAt), nightEndsAt };
}

const heldNightOf = async (reader: Reader, booking: BookingSpan): Promise<Night | null> =>
  (await hasActiveHolds(reader, booking.artist_id)) ? readNight(reader, booking) : null;

const ofBooking = (queue: readonly StoredHold[], booking: BookingSpan) =>
  queue.find(({ bookingId }) => bookingId === booking.id) ??
  queue.find(({ promoterUserId }) => promoterUserId !== null && promoterUserId === booking.promoter_user_id);

/** Frees a night for a booking, under the lock of the queues. Returns false if the booking's promoter may not book the night. */
export async function claimNight(tx: Tx, booking: BookingSpan, now: Date): Promise<boolean> {
  const at = await heldNightOf(tx, booking);
  const queue = at ? await advanceNight(tx, at, now) : [];
  if (!at || queue.length === 0) return true;
  const own = ofBooking(queue, booking);
  if (!own || !mayBook(own, now)) return false;
  await writeBooking(tx, own.id, booking.id);
  await removeNightReservation(tx, queueKeyOf(at));
  return true;
}

/** Locks the reservation of a locked booking, and its artist's queues before it. Undefined if it has none. */
export async function lockDate(tx: Tx, { id, artist_id }: Pick<BookingSpan, "id" | "artist_id">) {
  // A request without a date must not wait for the queues, because many requests end in one transaction.
  if (!(await hasReservation(tx, id))) return undefined;
  await lockQueues(tx, artist_id);
  return lockReservation(tx, id);
}

export async function resumeQueue(tx: Tx, booking: BookingSpan, now: Date): Promise<void> {
  await lockQueues(tx, booking.artist_id);
  const at = await heldNightOf(tx, booking);
  if (at) await advanceNight(tx, at, now);
}

/** Ends all holds of a booked night, and the other nights of the booked hold. A show at another time than the evening ends only holds that need its time. Under the lock of the artist's queues, when the date is reserved. */
export async function endQueue(tx: Tx, booking: BookingSpan, now: Date): Promise<void> {
  const at = await heldNightOf(tx, booking);
  const queue = at ? await readQueue(tx, queueKeyOf(at), now) : [];
  if (!at || queue.length === 0) return;
  const reserved = await requireReservedTime(tx, booking.id);
  const evening = eveningOf(at);
  const takesNight =
    queue.some(({ bookingId }) => bookingId === booking.id) ||
    (evening && reserved.from <= evening && evening < reserved.to);
  const ending = takesNight ? queue : await holdsNeeding(tx, at, queue, reserved);
  const own = ofBooking(ending, booking);
  if (ending.length === queue.length) await closeChallenge(tx, queueKeyOf(at), { outcome: "night_booked", now });
  for (const hold of ending) await end(tx, at, hold, { state: hold === own ? "booked" : "superseded", now });
  await advanceNight(tx, at, now);
  if (!own) return;
  await writeBooking(tx, own.id, booking.id);
  for (const night of await activeNightsOf(tx, own.holdId)) {
    const other = { artist: at.artist, night };
    const hold = (await readQueue(tx, queueKeyOf(other), now)).find(({ holdId }) => holdId === own.holdId);
    if (hold) await advanceNight(tx, other, now, { id: hold.id, why: { bookedNight: at.night } });
  }
}
