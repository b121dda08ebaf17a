import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { addDays, dayIn, daysBetween, describeDay, timeIn, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { maxBlockedNights, maxExceptions } from "#settings/choices.rules.ts";
import { artistSettings, changeArtistSettings } from "#settings/index.ts";
import { exceptionsWith, nightOf } from "../night.rules.ts";
import { insertBlockedTime } from "../store.ts";
import { instantOf } from "../time.rules.ts";
import { type OwnArtist, ownCalendar } from "./own-calendar.views.ts";

type TimeToBlock = Readonly<{ from: Date; to: Date; night: string; lastNight: string; zone: string }>;

/** Returns a local time of the artist, and the nights that it begins and ends in. Throws invalid (400) for an end before the start, for a time whose last night has passed, and for too many nights. */
export async function timeToBlock(
  reader: Reader,
  artist: OwnArtist,
  given: Readonly<{ starts_at: string; ends_at: string }>,
  now: Date,
): Promise<TimeToBlock> {
  const zone = zoneOrUtc(artist.time_zone);
  const from = instantOf(given.starts_at, zone);
  const to = instantOf(given.ends_at, zone);
  if (from >= to) throw invalid("The end must be after the start.");
  const { nightEndsAt } = await artistSettings(reader, artist.id);
  const lastNight = nightOf(new Date(to.getTime() - 1), zone, nightEndsAt);
  const night = nightOf(from, zone, nightEndsAt);
  if (lastNight < nightOf(now, zone, nightEndsAt))
    throw invalid(`${describeDay(lastNight)} has passed. Choose a later night.`);
  if (daysBetween(night, lastNight) >= maxBlockedNights)
    throw invalid(`You can block at most ${maxBlockedNights} nights at once. Check the years.`);
  return { from, to, night, lastNight, zone };
}

/** Blocks a time of the artist. Throws a conflict (409) naming the show or checkout that overlaps it. `blockNights` also ends holds and requests. */
export async function insertOwnBlockedTime(tx: Tx, artist: OwnArtist, time: TimeToBlock & { note: string }, now: Date) {
  const { from, to, night, zone, note } = time;
  const stored = await insertBlockedTime(tx, { artistId: artist.id, from, to, note, now });
  if (!stored) throw await conflictOf(tx, artist, time, now);
  return { id: stored.id, starts_at: from, ends_at: to, night, time_zone: zone, note };
}

async function conflictOf(reader: Reader, artist: OwnArtist, time: TimeToBlock, now: Date) {
  const nights = { from: addDays(time.night, -1), to: addDays(time.lastNight, 1) };
  const entries = (await ownCalendar(reader, artist, nights, now)).items.filter(
    ({ hold, reserved_from, reserved_to }) => !hold && reserved_from < time.to && time.from < reserved_to,
  );
  const other = entries.find(({ kind }) => kind === "show") ?? entries.find(({ kind }) => kind === "hold");
  const what = other?.kind === "hold" ? "is being booked: a promoter is at the checkout" : "has a show";
  const message = other
    ? `${describeDay(other.night)} ${what}. ${adviceOf(other, time)}`
    : "A show or a hold is too close to this time. Leave room for travel and set-up.";
  return conflict(message, { data: { night: other?.night ?? null } });
}

type Reserved = Readonly<{ night: string; reserved_from: Date; reserved_to: Date }>;

function adviceOf({ night, reserved_from, reserved_to }: Reserved, time: TimeToBlock): string {
  const { zone, from, to } = time;
  const describe = (at: Date, edge: Date) => {
    const day = dayIn(zone, at);
    return `${timeIn(zone, at)}${day === dayIn(zone, edge) ? "" : ` on ${describeDay(day)}`}, with travel and set-up.`;
  };
  if (night < time.night)
    return `It needs the time until ${describe(reserved_to, from)} ${reserved_to < to ? "Begin after that." : "Choose another time."}`;
  if (night > time.lastNight)
    return `It needs the time from ${describe(reserved_from, to)} ${reserved_from > from ? "End before that." : "Choose another time."}`;
  return "Leave this night out.";
}

/** Opens or closes nights for requests, as exceptions of the weekly pattern. Existing entries do not change. Throws invalid (400) for a past night, and for too many exceptions. */
export async function openNights(
  tx: Tx,
  artist: OwnArtist,
  { nights, open }: Readonly<{ nights: readonly string[]; open: boolean }>,
  { by, now }: Readonly<{ by: string; now: Date }>,
): Promise<void> {
  const today = dayIn(zoneOrUtc(artist.time_zone), now);
  const passed = nights.find((night) => night < today);
  if (passed) throw invalid(`${describeDay(passed)} has passed. Choose a later night.`);
  const change = (current: Parameters<typeof exceptionsWith>[0]) => {
    const nightExceptions = exceptionsWith(current, { nights, open, today });
    if (nightExceptions.length > maxExceptions)
      throw invalid(`You can have at most ${maxExceptions} exceptions ahead. Change the nights of the week instead.`);
    return { nightExceptions };
  };
  await changeArtistSettings(tx, artist.id, change, by);
}
