import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { addDays, describeDay, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import type { DateTaken } from "../events.rules.ts";
import { nightEnd, nightOf } from "../night.rules.ts";
import type { OwnArtist } from "../own-calendar/own-calendar.views.ts";
import { insertOwnBlockedTime, timeToBlock } from "../own-calendar/own-nights.ts";
import { insertBlockedTime, lockBlockedTimes, moveBlockedTime, removeBlockedTime } from "../store.ts";
import { sameDaysIn } from "../time.rules.ts";
import { checkoutsIn, freeTimesIn } from "../views.ts";
import { nightOfHold } from "./held-show.ts";
import { nightConflict } from "./place-hold.ts";
import {
  activeEventsOf,
  findHoldBetween,
  heldNightsIn,
  heldNightsOf,
  lockQueues,
  removeNightReservation,
} from "./queue.store.ts";
import { advanceNight, holdsNeeding, readNight, releaseQueue } from "./queue.ts";
import { requireHoldArtist } from "./queue.views.ts";

/** Blocks a local time of the artist, releases the holds of its nights and those of the night before that need it, and ends the requests that need it. Throws a conflict (409) unless `release_holds` names all these holds, and for a show or a checkout in that time. */
export async function blockNights(
  tx: Tx,
  artist: OwnArtist,
  given: Readonly<{ starts_at: string; ends_at: string; note: string; release_holds: readonly string[] }>,
  now: Date,
) {
  await lockQueues(tx, artist.id);
  const time = await timeToBlock(tx, artist, given, now);
  const nights = await heldNightsIn(tx, artist.id, time);
  for (const night of nights) {
    const at = { artist, night };
    const queue = await advanceNight(tx, at, now);
    const isBefore = night < time.night;
    const ending = isBefore ? await holdsNeeding(tx, at, queue, time) : queue;
    if (!ending.every((hold) => given.release_holds.includes(hold.holdId)))
      throw nightConflict(
        night,
        `${describeDay(night)} is on hold. ${isBefore ? "Release the holds that need a part of this time, or block a later time." : "Release its holds, or leave this night out."}`,
      );
    if (!isBefore) await releaseQueue(tx, at, now);
    for (const { id } of isBefore ? ending : []) await advanceNight(tx, at, now, { id, why: { isBlocked: true } });
    await removeNightReservation(tx, { artistId: artist.id, night });
  }
  const blocked = await insertOwnBlockedTime(tx, artist, { ...time, note: given.note }, now);
  // The holds that stay reserve the night until the blocked time.
  for (const night of nights) if (night < time.night) await advanceNight(tx, { artist, night }, now);
  await publish(tx, "calendar.date_taken", { artistId: artist.id } satisfies DateTaken);
  return blocked;
}

type Show = Readonly<{ artist_id: string; starts_at: Date }>;

async function timeOfNight(reader: Reader, show: Show) {
  const { artist, night, nightEndsAt } = await readNight(reader, show);
  const zone = zoneOrUtc(artist.time_zone);
  const time = { from: nightEnd(addDays(night, -1), zone, nightEndsAt), to: nightEnd(night, zone, nightEndsAt) };
  return { artist, night, time };
}

export const checkoutsOfNight = async (reader: Reader, show: Show): Promise<string[]> =>
  checkoutsIn(reader, show.artist_id, (await timeOfNight(reader, show)).time);

/** Blocks the night of a canceled show except other booked shows, and releases its holds, under the lock of the queues. Throws a conflict (409) while a checkout is open. */
export async function blockNightOf(tx: Tx, show: Show, note: string, now: Date): Promise<void> {
  const { artist, night, time } = await timeOfNight(tx, show);
  await releaseQueue(tx, { artist, night }, now);
  if ((await checkoutsIn(tx, artist.id, time)).length > 0)
    throw conflict("A promoter is at the checkout for this night. Try again in a minute.");
  for (const free of await freeTimesIn(tx, artist.id, time))
    await insertBlockedTime(tx, { artistId: artist.id, ...free, note, now });
  await publish(tx, "calendar.date_taken", { artistId: artist.id } satisfies DateTaken);
}

type BlockedTime = Awaited<ReturnType<typeof lockBlockedTimes>>[number];
type Zones = Readonly<{ from: string; to: string }>;

/** Reserves the artist's nights on hold again after a change of when nights begin. `zone`: before the change. Throws a conflict (409) if it moves the event of a hold to another night. */
async function changeNights<T>(
  tx: Tx,
  { artistId, zone, now }: Readonly<{ artistId: string; zone: string; now: Date }>,
  change: () => Promise<T>,
): Promise<T> {
  const held = await heldNightsOf(tx, artistId);
  for (const night of held) await removeNightReservation(tx, { artistId, night });
  const before = { artist: { time_zone: zone }, nightEndsAt: (await artistSettings(tx, artistId)).nightEndsAt };
  const result = await change();
  const artist = await requireHoldArtist(tx, artistId);
  const after = { artist, nightEndsAt: (await artistSettings(tx, artistId)).nightEndsAt };
  for (const event of await activeEventsOf(tx, artistId)) {
    const isInNight = (nights: typeof before) => {
      const actual = nightOfHold({ ...event, ...nights });
      return "missing" in actual || actual.night === event.night;
    };
    if (isInNight(before) && !isInNight(after))
      throw conflict(
        `A hold of ${describeDay(event.night)} is for ${event.time} in ${event.location}, which would be in another night. Release that hold first, or wait until it ends.`,
      );
  }
  for (const night of held) await advanceNight(tx, { artist, night }, now);
  return result;
}

/** Saves another end of the artist's nights by `save`. Throws a conflict (409) if the event of a hold would be on another day. */
export async function changeNightEnd<T>(
  tx: Tx,
  artistId: string,
  { nightEndsAt, now }: Readonly<{ nightEndsAt: string; now: Date }>,
  save: () => Promise<T>,
): Promise<T> {
  await lockQueues(tx, artistId);
  const before = (await artistSettings(tx, artistId)).nightEndsAt;
  const [from = before, to = before] = [before, nightEndsAt].toSorted();
  const moved = await findHoldBetween(tx, artistId, { from, to });
  if (moved)
    throw conflict(
      `A hold of ${describeDay(moved.night)} is for ${moved.event_time}, which would be on another day. Release that hold first, or wait until it ends.`,
    );
  const { time_zone: zone } = await requireHoldArtist(tx, artistId);
  return changeNights(tx, { artistId, zone, now }, save);
}

/** Moves an artist's nights on hold and blocked nights to another time zone: they stay on their days, except the time of shows. Other blocked times stay at their instants. Call it under the lock of the queues, when the artist has the new zone. Throws a conflict (409) while a checkout is open at the time of a blocked night. */
export async function moveNights(tx: Tx, artistId: string, zones: Zones, now: Date): Promise<void> {
  await changeNights(tx, { artistId, zone: zones.from, now }, () => moveBlockedNights(tx, artistId, zones, now));
  await publish(tx, "calendar.date_taken", { artistId } satisfies DateTaken);
}

async function moveBlockedNights(tx: Tx, artistId: string, zones: Zones, now: Date): Promise<void> {
  // A day that has ended in one zone may last in the other.
  const times = await lockBlockedTimes(tx, artistId, new Date(now.getTime() - dayMs));
  const whole = times.flatMap((time) => {
    const to = sameDaysIn(time, zones);
    return to ? [{ times: [time], to }] : [];
  });
  const parts = times.filter((time) => whole.every((one) => one.times[0] !== time));
  for (const { times: moved, to } of [...whole, ...(await nightsAroundShows(tx, artistId, parts, zones))]) {
    if ((await checkoutsIn(tx, artistId, to)).length > 0)
      throw conflict("A promoter is at the checkout for the time of a blocked night. Change the town in half an hour.");
    const free = await freeTimesIn(tx, artistId, to);
    for (const [at, time] of free.entries()) {
      const known = moved[at];
      if (known) await moveBlockedTime(tx, known.id, time);
      else await insertBlockedTime(tx, { artistId, ...time, note: moved[0]?.note ?? "", now });
    }
    for (const { id } of moved.slice(free.length)) await removeBlockedTime(tx, artistId, id);
  }
}

async function nightsAroundShows(tx: Tx, artistId: string, parts: readonly BlockedTime[], zones: Zones) {
  const { nightEndsAt } = await artistSettings(tx, artistId);
  const groups: { times: BlockedTime[]; first: string; last: string }[] = [];
  for (const time of parts.toSorted((one, other) => +one.from - +other.from)) {
    const first = nightOf(time.from, zones.from, nightEndsAt);
    const last = nightOf(new Date(time.to.getTime() - 1), zones.from, nightEndsAt);
    const group = groups.at(-1);
    if (!group || first > group.last) groups.push({ times: [time], first, last });
    else {
      group.times.push(time);
      if (last > group.last) group.last = last;
    }
  }
  const found: { times: BlockedTime[]; to: { from: Date; to: Date } }[] = [];
  for (const { times, first, last } of groups) {
    const nightsIn = (zone: string) => ({
      from: nightEnd(addDays(first, -1), zone, nightEndsAt),
      to: nightEnd(last, zone, nightEndsAt),
    });
    const ids = times.map(({ id }) => id);
    const open = await freeTimesIn(tx, artistId, nightsIn(zones.from), ids);
    if (open.length === 0) found.push({ times, to: nightsIn(zones.to) });
  }
  return found;
}
