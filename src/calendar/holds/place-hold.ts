/** Places ranked holds. Each command locks the queues of the artist first. */

import { declinedKindOf, eventKindNames } from "#artists/nights/event-kinds.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict, invalidField } from "#platform/errors.ts";
import { describeDay, formatInstant, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { artistSettings, platformSettings } from "#settings/index.ts";
import { nightOf } from "../night.rules.ts";
import { nightsOf } from "../night.views.ts";
import { canHoldFrom, holdRules } from "../queue.rules.ts";
import { withBuffer } from "../time.rules.ts";
import type { Range } from "../views.ts";
import { isNeededElsewhere } from "./busy-nights.views.ts";
import { heldShow } from "./held-show.ts";
import {
  type HoldOwner,
  type HoldEvent,
  insertHold,
  insertHoldNight,
  lockHoldsOf,
  lockQueues,
  reserveNight,
  type StoredHold,
} from "./queue.store.ts";
import { advanceNight, announceChange, type HoldArtist, holdEnd, queueKeyOf } from "./queue.ts";
import { countOpenHolds, hasRequestToAnswer, readAgainFrom } from "./queue.views.ts";

type NamedArtist = HoldArtist & Readonly<{ name: string }>;
type NewHold = HoldEvent & Readonly<{ artist: NamedArtist; nights: readonly string[] }>;
type NamedNight = Readonly<{ artist: NamedArtist; night: string }>;

/** Places a promoter's hold on one or several nights, at the end of each queue. Throws invalid (400) for a time that clocks skip or that is another night for the artist and for a kind of event that the artist declines, and a conflict (409) with the reason. Then it places none. */
export async function placeHold(
  tx: Tx,
  { promoterUserId, ...hold }: NewHold & { promoterUserId: string },
  now: Date,
): Promise<string> {
  const { artist } = hold;
  const settings = await artistSettings(tx, artist.id);
  if (!settings.holdsEnabled) throw conflict(`${artist.name} takes no holds. Send a request instead.`);
  const declined = declinedKindOf(hold.eventType, settings);
  if (declined) throw invalidField("eventType", `${artist.name} does not play ${eventKindNames[declined]}.`);
  await lockHoldsOf(tx, promoterUserId);
  await requireUnderLimit(tx, promoterUserId);
  await lockQueues(tx, artist.id);
  for (const night of hold.nights) {
    const from = await readAgainFrom(tx, { artistId: artist.id, night, promoterUserId });
    if (!from || from <= now) continue;
    const zone = zoneOrUtc(artist.time_zone);
    const again = canHoldFrom(night, from, { zone, notice: settings.minimumNotice })
      ? `You can hold this night again from ${formatInstant(from, zone)}, if it is still available.`
      : "You cannot hold this night again.";
    throw nightConflict(night, `Your hold of ${describeDay(night)} has ended. ${again}`);
  }
  const until = new Date(now.getTime() + settings.holdDays * dayMs);
  return insertOnNights(tx, { ...hold, promoterUserId, enteredName: null, enteredEmail: null, until }, now);
}

async function requireUnderLimit(tx: Tx, promoterUserId: string): Promise<void> {
  const { mostOpenHolds: max } = await platformSettings(tx);
  const open = await countOpenHolds(tx, promoterUserId);
  if (open < max) return;
  const [count, excess] = [open === 1 ? "1 open hold" : `${open} open holds`, open - max + 1];
  throw conflict(`You have ${count}. The limit is ${max}. Release ${excess} before you place another.`);
}

/** Enters a hold manually, without the limits of promoters. Throws as `placeHold`, and invalid (400) if `until` is too far. */
export async function enterHold(tx: Tx, hold: NewHold & HoldOwner & { until: Date }, now: Date): Promise<string> {
  requireUntil(hold.until, now);
  await lockQueues(tx, hold.artist.id);
  return insertOnNights(tx, hold, now);
}

async function insertOnNights(tx: Tx, hold: NewHold & HoldOwner & { until: Date }, now: Date): Promise<string> {
  const { artist, nights, until, promoterUserId, enteredName, enteredEmail } = hold;
  const settings = await artistSettings(tx, artist.id);
  const { nightEndsAt } = settings;
  const shows = [...new Set(nights)].toSorted().map((night) => {
    const show = heldShow({ night, time: hold.eventTime, location: hold.eventLocation, artist, nightEndsAt });
    if ("missing" in show) throw invalidField("eventTime", show.missing.message);
    const actual = nightOf(show.startsAt, zoneOrUtc(artist.time_zone), nightEndsAt);
    if (actual === night) return { night, needed: withBuffer(show, settings) };
    throw invalidField(
      "eventTime",
      `${hold.eventTime} at this location is the night of ${describeDay(actual)} for ${artist.name}. Such an event can be requested, but not held.`,
    );
  });
  const holdId = await insertHold(tx, { ...hold, artistId: artist.id, now });
  const owner = { holdId, promoterUserId, enteredName, enteredEmail, until };
  for (const { night, needed } of shows) await insertOnNight(tx, { artist, night }, { ...owner, needed }, now);
  return holdId;
}

export const nightConflict = (night: string, message: string) => conflict(message, { data: { night } });

async function insertOnNight(
  tx: Tx,
  at: NamedNight,
  hold: HoldOwner & { holdId: string; until: Date; needed: Range },
  now: Date,
): Promise<void> {
  const { artist, night } = at;
  const queue = await advanceNight(tx, at, now);
  const email = hold.enteredEmail?.toLowerCase();
  if (email && queue.some((other) => other.enteredEmail === email))
    throw nightConflict(night, `${describeDay(night)} already has a hold with this email address.`);
  const isHeld = hold.promoterUserId && queue.some((other) => other.promoterUserId === hold.promoterUserId);
  if (isHeld && hold.enteredName === null) throw nightConflict(night, `You hold ${describeDay(night)} already.`);
  // A conflict with the account's own hold would disclose to the artist whose it is.
  const promoterUserId = isHeld ? null : hold.promoterUserId;
  await requireHoldable(tx, at, queue, now);
  if (await isNeededElsewhere(tx, { artistId: artist.id, night }, hold.needed, now)) throw elsewhere(at);
  const expiresAt = holdEnd(at, hold.until, now);
  const rank = queue.length + 1;
  const { id } = await insertHoldNight(tx, {
    hold_id: hold.holdId,
    artist_id: artist.id,
    promoter_user_id: promoterUserId,
    night,
    state: "active",
    rank,
    expires_at: expiresAt,
  });
  const placed = { id, promoterUserId, rank, expiresAt, challengeEndsAt: null, paysFrom: null };
  const first = queue[0] ?? placed;
  if (!(await reserveNight(tx, queueKeyOf(at), first, now)) && rank === 1) throw elsewhere(at);
  await announceChange(tx, at, placed, { to: "placed" });
}

const elsewhere = ({ artist, night }: NamedNight) =>
  nightConflict(night, `${artist.name} has something else on ${describeDay(night)}.`);

/** Throws a conflict (409) unless the night has a queue, or is free and no earlier request waits for the artist's answer. */
async function requireHoldable(tx: Tx, { artist, night }: NamedNight, queue: readonly StoredHold[], now: Date) {
  const [found] = await nightsOf(tx, artist.id, { from: night, to: night }, now);
  const day = describeDay(night);
  if (found?.state === "taken") throw nightConflict(night, `${day} is taken.`);
  if (found?.state === "closed") throw nightConflict(night, `${artist.name} cannot be booked on ${day}.`);
  if (queue.length > 0) return;
  if (found?.state === "on_hold")
    throw nightConflict(
      night,
      `${day} is on hold: another promoter is at the checkout, or holds the night beside it. Try again later.`,
    );
  if (await hasRequestToAnswer(tx, queueKeyOf({ artist, night }), now))
    throw nightConflict(
      night,
      `There is an open request that needs the night of ${day}. ${artist.name} must answer it before the night can be held.`,
    );
}

export function requireUntil(until: Date, now: Date): void {
  if (until > now && until.getTime() <= now.getTime() + holdRules.maxDays * dayMs) return;
  throw invalidField("until", `Choose a time within the next ${holdRules.maxDays} days.`);
}
