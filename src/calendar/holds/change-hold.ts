/** Changes ranked holds: release, challenge, extend, reorder, and convert to a request. Each command locks the queues of the artist first. */

import type { Tx } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { challengeQueue } from "../queue.rules.ts";
import { holdOf } from "./holds.views.ts";
import { nightConflict, requireUntil } from "./place-hold.ts";
import {
  insertChallenge,
  lockQueues,
  runningChallenge,
  type StoredHold,
  writeBooking,
  writeQueued,
} from "./queue.store.ts";
import {
  advanceNight,
  announceChange,
  type HoldArtist,
  holdEnd,
  queueKeyOf,
  type Night,
  type ReleaseReason,
} from "./queue.ts";

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
export async function releaseRankedHold(
  tx: Tx,
  { artist, nights, holdId, ...why }: OwnHold & ReleaseReason,
  now: Date,
) {
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
    throw nightConflict(night, "The first hold must book already. You move up if the night is not booked in time.");
  const { challengeHours } = await artistSettings(tx, artist.id);
  const endsAt = new Date(now.getTime() + challengeHours * hourMs);
  const leastPaid = new Date(endsAt.getTime() + hourMs);
  if (holdEnd(at, leastPaid, now) < leastPaid)
    throw nightConflict(
      night,
      `The holds above would have ${challengeHours} hours to book, and the evening of ${describeDay(night)} begins before that or in the hour after. The night can no longer be challenged.`,
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
    await writeQueued(tx, { ...hold, expiresAt: holdEnd(at, hold.expiresAt, now) });
    const next = hold.rank === 1 ? challenged[1]?.paysFrom : null;
    const alone = next ? { aloneUntil: next.toISOString() } : {};
    if (hold.id !== own.id) await announceChange(tx, at, hold, { to: "challenged", ...alone });
  }
  await advanceNight(tx, at, now);
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
    const extended = { ...own, expiresAt: holdEnd(at, until, now) };
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
    throw nightConflict(at.night, "A promoter must book or is booking now. The order cannot be changed until then.");
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
