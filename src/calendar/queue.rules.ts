import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

export const holdRules = {
  maxNights: 3,
  againDays: 7, // until a promoter can hold a night again that was lost, expired or released as the first
  payHours: 24, // in which a challenger who moved up must pay
  reminder: { hours: 24, minHours: 48 }, // before the end of a hold, unless it is shorter than `minHours`
  maxDays: 60, // from now, of a hold that the artist extends or enters manually
} as const;

/** Returns true if a night is still ahead then, with the artist's notice in days. */
export const canHoldFrom = (night: string, from: Date, { zone, notice }: { zone: string; notice: number }): boolean =>
  addDays(dayIn(zone, from), Math.max(notice, 1)) <= night;

export const holdStates = ["active", "booked", "released", "expired", "lost", "superseded"] as const;
type HoldState = (typeof holdStates)[number];
/** Why a hold of a night has ended. `lost`: challenged or challenging, and not paid in time. `superseded`: another promoter booked the night. */
export type HoldEnd = Exclude<HoldState, "active">;

export type QueuedHold = Readonly<{
  id: string;
  rank: number;
  expiresAt: Date;
  /** The payment deadline because a hold behind this one challenged it. */
  challengeEndsAt: Date | null;
  /** From when a challenged hold may be booked. Null without a challenge, and once its turn has begun. */
  paysFrom: Date | null;
  mustPay: boolean;
  /** The deposit's checkout is open, or the artist has a request to answer. Until then no deadline ends the hold. */
  isBeingBooked: boolean;
  /** The promoter's account was deleted or suspended, or the artist accepts no bookings. */
  isGone: boolean;
}>;

type Advanced = Readonly<{
  ended: readonly Readonly<{ id: string; state: "expired" | "lost" | "released" }>[];
  queue: readonly QueuedHold[];
  /** How the current challenge ended. Null if it still runs, or if there was none. */
  challenge: "moved_up" | "withdrawn" | null;
}>;

export const deadlineOf = ({ challengeEndsAt, expiresAt }: Pick<QueuedHold, "challengeEndsAt" | "expiresAt">): Date =>
  challengeEndsAt ?? expiresAt;

/** Returns true for the first hold, and during a challenge for each challenged hold from its turn on (docs/decisions/0590). */
export const mayBook = (
  { rank, challengeEndsAt, paysFrom }: Pick<QueuedHold, "rank" | "challengeEndsAt" | "paysFrom">,
  now: Date,
): boolean => rank === 1 || (challengeEndsAt !== null && (paysFrom === null || paysFrom <= now));

/** Ends expired holds, moves the others up, and sets the payment time of a first `challenger` (the hold of the current challenge). */
export function advanceQueue(queue: readonly QueuedHold[], challenger: string | null, now: Date): Advanced {
  const stays = queue.some(({ id, isGone }) => id === challenger && !isGone);
  // A challenger who left restores the deadlines of the holds above, which may have passed already.
  const before = queue.toSorted((one, other) => one.rank - other.rank);
  const challenged = stays ? before : before.map((hold) => ({ ...hold, challengeEndsAt: null }));
  // A challenger waits for the deadline of the holds above, even if it is noticed late.
  const isOver = (hold: QueuedHold) =>
    hold.isGone || (hold.id !== challenger && !hold.isBeingBooked && deadlineOf(hold) <= now);
  const ended = challenged.filter(isOver).map((hold) => ({ id: hold.id, state: endOf(hold) }));
  const left = challenged
    .filter((hold) => !isOver(hold))
    .map((hold, index) => {
      const turn = hold.challengeEndsAt && (challenged[index]?.paysFrom ?? null);
      return { ...hold, rank: index + 1, paysFrom: turn && turn > now ? turn : null };
    });
  if (challenger === null) return { ended, queue: left, challenge: null };
  if (!stays) return { ended, queue: left, challenge: "withdrawn" };
  if (left[0]?.id !== challenger) return { ended, queue: left, challenge: null };
  const [first, ...others] = left;
  const expiresAt = new Date(now.getTime() + holdRules.payHours * hourMs);
  return { ended, queue: [{ ...first, expiresAt, mustPay: true }, ...others], challenge: "moved_up" };
}

function endOf({ isGone, challengeEndsAt, mustPay }: QueuedHold): "expired" | "lost" | "released" {
  if (isGone) return "released";
  return challengeEndsAt || mustPay ? "lost" : "expired";
}

/** Gives all holds above a challenger one deadline, and each its turn: equal shares of the time, the first hold immediately. The challenger's own hold lasts until the end of the payment time afterwards. */
export function challengeQueue<Hold extends QueuedHold>(
  queue: readonly Hold[],
  challenger: Readonly<{ id: string; rank: number }>,
  { now, endsAt }: { now: Date; endsAt: Date },
): Hold[] {
  const share = (endsAt.getTime() - now.getTime()) / Math.max(1, challenger.rank - 1);
  const turnOf = (rank: number) => new Date(now.getTime() + share * (rank - 1));
  const expiresAt = new Date(endsAt.getTime() + holdRules.payHours * hourMs);
  return queue.map((hold) => {
    if (hold.id === challenger.id) return { ...hold, expiresAt };
    return hold.rank < challenger.rank ? { ...hold, challengeEndsAt: endsAt, paysFrom: turnOf(hold.rank) } : hold;
  });
}

const rankNames = ["", "first", "second", "third", "fourth", "fifth"];

export const rankName = (rank: number): string => rankNames[rank] ?? `number ${rank}`;

/** `ends_soon`: the reminder before the end. `moved`: the artist changed the order. `can_book`: the turn of a challenged hold has begun. `must_pay`: a challenger became first. `requested`: the artist turned the hold into a booking request. `busy`: an entry of another calendar of the artist stops its booking. */
export type HoldChange =
  | HoldEnd
  | "placed"
  | "moved_up"
  | "moved"
  | "extended"
  | "ends_soon"
  | "challenged"
  | "can_book"
  | "challenge_ended"
  | "must_pay"
  | "requested"
  | "busy";

/** The event "hold.changed". `rank` and `until` are those after the change. `reason`: the artist's for the order, or the admin's (`byAdmin`) for a release. `isBlocked`: released because the artist blocked the night. `bookingId` is the request's. */
export type HoldChanged = Readonly<{
  holdNightId: string;
  change: HoldChange;
  rank: number | null;
  until: string;
  reason?: string;
  byAdmin?: boolean;
  isBlocked?: boolean;
  /** Released because the artist's profile was hidden or made inactive. */
  isHidden?: boolean;
  bookedNight?: string;
  /** Of the first change of a reorder: all holds of the night in their order, for the artist's one email. Empty for the other changes of it. */
  order?: readonly string[];
  endingNights?: readonly string[];
  /** Of a challenged hold behind the first: from when it may be booked. */
  paysFrom?: string;
  /** Of the first hold: until when no other challenged hold may be booked. */
  aloneUntil?: string;
  bookingId?: string;
}>;
