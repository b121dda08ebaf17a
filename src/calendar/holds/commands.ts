/** The commands of promoters and artists on ranked holds. Each command locks the queues of the artist first. */
import type { Tx } from "#platform/db/index.ts";
import { conflict, invalidField, notFound } from "#platform/errors.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { artistSettings, platformSettings } from "#settings/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { assumedShow } from "../night.rules.ts";
import { nightsOf } from "../night.views.ts";
import { challengeQueue, holdRules } from "../queue.rules.ts";
import { eventSpan } from "../time.rules.ts";
import { countOpenHolds, hasEndedSince, hasRequestToAnswer, holdOf } from "./holds.views.ts";
import { heldShow } from "./held-show.ts";
import { advanceNight, announceChange, type HoldArtist, queueKeyOf, type Night, type ReleaseReason } from "./queue.ts";
import {
  type HoldOwner,
  type HoldEvent,
  insertChallenge,
  insertHold,
  insertHoldNight,
  lockHoldsOf,
  lockQueues,
  reserveNight,
  runningChallenge,
  type StoredHold,
  writeBooking,
  writeQueued,
} from "./queue.store.ts";

type NamedArtist = HoldArtist & Readonly<{ name: string }>;
type NewHold = HoldEvent & Readonly<{ artist: NamedArtist; nights: readonly string[] }>;
type NamedNight = Readonly<{ artist: NamedArtist; night: string }>;

/** Places a promoter's hold on one or several nights, at the end of each queue. Throws invalid (400) for a time that clocks skip, and a conflict (409) with the reason. Then it places none. */
export async function placeHold(
  tx: Tx,
  { promoterUserId, ...hold }: NewHold & { promoterUserId: string },
  now: Date,
): Promise<string> {
  const { artist } = hold;
  const settings = await artistSettings(tx, artist.id);
  if (!settings.holdsEnabled) throw conflict(`${artist.name} takes no holds. Send a request instead.`);
  await lockHoldsOf(tx, promoterUserId);
  await requireUnderLimit(tx, promoterUserId);
  await lockQueues(tx, artist.id);
  const since = new Date(now.getTime() - holdRules.againDays * dayMs);
  for (const night of hold.nights)
    if (await hasEndedSince(tx, { artistId: artist.id, night }, { promoterUserId, since }))
      throw nightConflict(
        night,
        `Your hold of ${describeDay(night)} has ended. You can hold this night again ${holdRules.againDays} days later.`,
      );
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

/** Enters a hold manually, without the limits of promoters. Throws invalid (400) if `until` is too far or clocks skip the time, and a conflict (409) with the reason. */
export async function enterHold(tx: Tx, hold: NewHold & HoldOwner & { until: Date }, now: Date): Promise<string> {
  requireUntil(hold.until, now);
  await lockQueues(tx, hold.artist.id);
  return insertOnNights(tx, hold, now);
}

async function insertOnNights(tx: Tx, hold: NewHold & HoldOwner & { until: Date }, now: Date): Promise<string> {
  const { artist, nights, until, promoterUserId, enteredName } = hold;
  const { nightEndsAt } = await artistSettings(tx, artist.id);
  for (const night of nights) {
    const show = heldShow({ night, time: hold.eventTime, location: hold.eventLocation, artist, nightEndsAt });
    if ("missing" in show) throw invalidField("eventTime", show.missing.message);
  }
  const holdId = await insertHold(tx, { ...hold, artistId: artist.id, now });
  for (const night of [...new Set(nights)].toSorted())
    await insertOnNight(tx, { artist, night }, { holdId, promoterUserId, enteredName, until }, now);
  return holdId;
}

export const nightConflict = (night: string, message: string) => conflict(message, { data: { night } });

async function insertOnNight(
  tx: Tx,
  at: NamedNight,
  hold: { holdId: string; promoterUserId: string | null; enteredName: string | null; until: Date },
  now: Date,
): Promise<void> {
  const { artist, night } = at;
  const { promoterUserId } = hold;
  const queue = await advanceNight(tx, at, now);
  if (promoterUserId && queue.some((other) => other.promoterUserId === promoterUserId))
    throw nightConflict(
      night,
      hold.enteredName === null
        ? `You hold ${describeDay(night)} already.`
        : `${describeDay(night)} already has a hold of this promoter.`,
    );
  await requireHoldable(tx, at, queue, now);
  const expiresAt = endOf(at, hold.until, now);
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
  if (rank === 1 && !(await reserveNight(tx, queueKeyOf(at), placed, now)))
    throw nightConflict(night, `${artist.name} has something else on ${describeDay(night)}.`);
  await announceChange(tx, at, placed, { to: "placed" });
}

/** Throws a conflict (409) unless the night has a queue, or is free and no earlier request waits for the artist's answer. */
async function requireHoldable(tx: Tx, { artist, night }: NamedNight, queue: readonly StoredHold[], now: Date) {
  const [found] = await nightsOf(tx, artist.id, { from: night, to: night }, now);
  const day = describeDay(night);
  if (found?.state === "taken") throw nightConflict(night, `${day} is taken.`);
  if (found?.state === "closed") throw nightConflict(night, `${artist.name} cannot be booked on ${day}.`);
  if (queue.length > 0) return;
  if (found?.state === "on_hold")
    throw nightConflict(night, `Another promoter is at the checkout for ${day}. Try again in half an hour.`);
  if (await hasRequestToAnswer(tx, queueKeyOf({ artist, night }), now))
    throw nightConflict(
      night,
      `There is an open request that needs the night of ${day}. ${artist.name} must answer it before the night can be held.`,
    );
}

/** Returns the end of a hold: `until`, or the beginning of the evening before that. */
function endOf(at: Night, until: Date, now: Date): Date {
  const show = eventSpan({ date: at.night, zone: queueKeyOf(at).zone, ...assumedShow });
  const evening = "missing" in show ? now : show.startsAt;
  return evening < until ? evening : until;
}

export const holdMissing = () => notFound("Hold not found");

/** Returns the hold with the queue of its night, updated and locked. Throws a conflict (409) if the hold has ended. */
async function requireQueued(tx: Tx, at: Night, holdId: string, now: Date) {
  await lockQueues(tx, at.artist.id);
  const queue = await advanceNight(tx, at, now);
  const own = queue.find((hold) => hold.holdId === holdId);
  if (!own) throw nightConflict(at.night, `This hold of ${describeDay(at.night)} has ended. Reload the page.`);
  return { queue, own };
}

type OwnHold = Readonly<{ artist: HoldArtist; holdId: string; nights: readonly string[] }>;

/** Releases nights of a hold. The next holds move up. `reason` is an admin's. Throws a conflict (409) while a night is being booked. */
export async function releaseHold(tx: Tx, { artist, nights, holdId, ...why }: OwnHold & ReleaseReason, now: Date) {
  for (const night of [...nights].toSorted()) {
    const { own } = await requireQueued(tx, { artist, night }, holdId, now);
    if (own.isBeingBooked)
      throw nightConflict(night, `${describeDay(night)} is being booked. Cancel that booking first.`);
    await advanceNight(tx, { artist, night }, now, { id: own.id, why });
  }
}

/** Requires all holds above to pay within the artist's challenge window, or lose the night. Throws a conflict (409) with the reason. */
export async function challengeNight(tx: Tx, at: Night, holdId: string, now: Date): Promise<void> {
  const { artist, night } = at;
  const { queue, own } = await requireQueued(tx, at, holdId, now);
  if (own.rank === 1) throw nightConflict(night, "You have the first hold. Book the night instead.");
  if (own.promoterUserId === null) throw holdMissing();
  const item = await holdOf(tx, holdId, "promoter", now);
  if (item?.nights.some((one) => one.night === night && one.busy_elsewhere))
    throw nightConflict(night, `${item.artist.name} is busy at the time of your event, so the night cannot be booked.`);
  if (queue[0]?.mustPay)
    throw nightConflict(night, "The first hold must pay already. You move up if the deposit is not paid in time.");
  const { challengeHours } = await artistSettings(tx, artist.id);
  const endsAt = new Date(now.getTime() + challengeHours * hourMs);
  if (endOf(at, endsAt, now) < endsAt)
    throw nightConflict(
      night,
      `The holds above would have ${challengeHours} hours to pay, and the evening of ${describeDay(night)} begins before that. The night can no longer be challenged.`,
    );
  const challenge = {
    artist_id: artist.id,
    night,
    promoter_user_id: own.promoterUserId,
    hold_night_id: own.id,
    started_at: now,
    ends_at: endsAt,
  };
  if (!(await insertChallenge(tx, challenge)))
    throw nightConflict(night, "This night is being challenged already, or you have challenged it before.");
  const challenged = challengeQueue(queue, own, { now, endsAt }).filter((hold) => hold.rank <= own.rank);
  for (const hold of challenged) {
    await writeQueued(tx, hold);
    const next = hold.rank === 1 ? challenged[1]?.paysFrom : null;
    const alone = next ? { aloneUntil: next.toISOString() } : {};
    if (hold.id !== own.id) await announceChange(tx, at, hold, { to: "challenged", ...alone });
  }
  await advanceNight(tx, at, now);
}

function requireUntil(until: Date, now: Date): void {
  if (until > now && until.getTime() <= now.getTime() + holdRules.maxDays * dayMs) return;
  throw invalidField("until", `Choose a time within the next ${holdRules.maxDays} days.`);
}

/** Changes the end of a hold. Throws invalid (400) if it is too far, and a conflict (409) during a challenge. */
export async function extendHold(tx: Tx, { artist, nights, holdId, until }: OwnHold & { until: Date }, now: Date) {
  requireUntil(until, now);
  for (const night of nights) {
    const at = { artist, night };
    const { own } = await requireQueued(tx, at, holdId, now);
    const isChallenger = (await runningChallenge(tx, queueKeyOf(at)))?.hold_night_id === own.id;
    if (own.challengeEndsAt || own.mustPay || own.isBeingBooked || isChallenger)
      throw nightConflict(
        night,
        `The night ${describeDay(night)} of this hold is part of a challenge or is being booked. Extend the hold after that.`,
      );
    const extended = { ...own, expiresAt: endOf(at, until, now) };
    await writeQueued(tx, extended);
    await announceChange(tx, at, extended, { to: "extended" });
    await advanceNight(tx, at, now);
  }
}

/** Reorders the holds of a night. `ids` are all of them. Throws a conflict (409) while a promoter must pay, or if the queue has changed. */
export async function reorderHolds(
  tx: Tx,
  at: Night,
  { ids, reason }: { ids: readonly string[]; reason: string },
  now: Date,
): Promise<void> {
  await lockQueues(tx, at.artist.id);
  const queue = await advanceNight(tx, at, now);
  const ordered = ids.flatMap((id) => queue.find((hold) => hold.holdId === id) ?? []);
  if (ordered.length !== queue.length || new Set(ids).size !== ids.length)
    throw nightConflict(at.night, "The queue of this night has changed. Reload the page.");
  if (queue.some((hold) => hold.challengeEndsAt || hold.mustPay || hold.isBeingBooked))
    throw nightConflict(at.night, "A promoter must pay or is paying now. The order cannot be changed until then.");
  let order = ordered.map(({ id }) => id);
  for (const [index, hold] of ordered.entries()) {
    if (hold.rank === index + 1) continue;
    const moved = { ...hold, rank: index + 1 };
    await writeQueued(tx, moved);
    await announceChange(tx, at, moved, { to: "moved", reason, order });
    order = [];
  }
  await advanceNight(tx, at, now);
}

export async function markRequested(
  tx: Tx,
  { artistId, holdNightId, bookingId }: { artistId: string; holdNightId: string; bookingId: string },
): Promise<void> {
  await lockQueues(tx, artistId);
  await writeBooking(tx, holdNightId, bookingId);
}

/** Stores the artist's booking request of a first hold. With a deposit its promoter gets the payment link. Throws a conflict (409) if the hold has ended, is not the first, or has another request. */
export async function convertHold(
  tx: Tx,
  at: Night,
  { holdId, bookingId, hasDeposit }: { holdId: string; bookingId: string; hasDeposit: boolean },
  now: Date,
): Promise<void> {
  const { own } = await requireQueued(tx, at, holdId, now);
  if (own.bookingId === bookingId) return;
  requireConvertible(at.night, own);
  await writeBooking(tx, own.id, bookingId);
  if (hasDeposit) await announceChange(tx, at, own, { to: "requested", bookingId });
}

/** Throws a conflict (409) if a hold of a night cannot be turned into a booking. */
export function requireConvertible(
  night: string,
  { rank, isBeingBooked, isRequested }: Pick<StoredHold, "isBeingBooked" | "isRequested"> & { rank: number | null },
): void {
  const day = describeDay(night);
  if (rank !== 1) throw nightConflict(night, `Only the first hold of ${day} can be turned into a booking.`);
  if (isBeingBooked || isRequested)
    throw nightConflict(night, `This hold of ${day} has a booking request already. Reload the page.`);
}
