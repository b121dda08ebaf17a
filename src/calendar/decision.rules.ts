import { type EventKind, eventKindNames } from "#artists/nights/event-kinds.rules.ts";
import { dayIn, describeDay, describeTime } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { heldUntil, holdableAgainFrom, holdLimits } from "./checkout-hold.rules.ts";
import { assumedShow, isNightOpen, nightEnd, nightOf, type NightPattern, type OwnNightState } from "./night.rules.ts";
import { type NoticeLimits, outsideLimits } from "./notice.rules.ts";
import { type Buffer, type EventSpan, instantOf, type MissingTime, withBuffer } from "./time.rules.ts";

/** A hold or a booked date of the artist. `own`: the caller requested that booking. */
export type KnownReservation = Readonly<{
  bookingId: string;
  own: boolean;
  kind: "hold" | "booked";
  day: string;
  time: string;
  zone: string;
  /** With travel and set-up. */
  from: Date;
  to: Date;
  span: EventSpan;
  expiresAt: Date | null;
  /** A ranked hold of the same promoter outlasts the checkout. */
  staysOnHold?: boolean;
}>;

/** A part of the artist's time without a booking: blocked by the artist, an entry of another calendar, or a night on hold, `until` at the latest. */
export type KnownEntry = Readonly<{
  kind: "blocked" | "external" | "on_hold";
  from: Date;
  to: Date;
  until?: Date | null;
}>;

export type DateLimits = NoticeLimits & NightPattern;

export type DateInput = Readonly<{
  now: Date;
  artistName: string;
  day: string;
  zone: string;
  /** The artist's notice, advance and pattern. Null for a stored request and a night on hold, which retain their date. */
  limits: DateLimits | null;
  buffer: Buffer & Pick<NightPattern, "nightEndsAt">;
  span: EventSpan | { missing: MissingTime };
  /** The kind of the event, if the artist does not play it. Null for a request that was accepted before. */
  declinedKind: EventKind | null;
  /** True if no time was given: an hour of the evening is assumed, and only a past day is too late. */
  timeIsAssumed: boolean;
  reservations: readonly KnownReservation[];
  entries: readonly KnownEntry[];
  /** The queue of ranked holds of this night. `isOwn`: the caller may book the night. Null without a queue. */
  queue: Readonly<{ until: Date; isOwn: boolean }> | null;
  /** The caller's holds, if a checkout follows and the limits count. Otherwise null. */
  person: Readonly<{
    open: readonly Readonly<{
      artistIsSame: boolean;
      day: string;
      browser: boolean;
      address: boolean;
      email: boolean;
    }>[];
    lastEnded: Date | null;
  }> | null;
}>;

export type DateState =
  | "incomplete"
  | "free"
  | "own_hold"
  | "own_booking"
  | "held"
  | "taken"
  | "too_soon"
  | "too_far"
  | "closed"
  | "invalid_time"
  | "kind_declined"
  | "held_elsewhere"
  | "too_many_holds"
  | "held_before";

/** `from`: when the decision may change. `by`: the conflicting reservation. */
export type DateDecision = Readonly<{
  state: DateState;
  message: string;
  from?: Date | null;
  by?: KnownReservation | undefined;
  first?: string;
  last?: string;
  nextValid?: { date: string; time: string };
}>;

type Range = Readonly<{ from: Date; to: Date }>;

const overlaps = (one: Range, other: Range) => one.from < other.to && other.from < one.to;

/** Returns the conflicting reservations: at the same time, and without a given time also later in the same night. */
function conflictsOf({ timeIsAssumed, zone, day, buffer, reservations }: DateInput, span: EventSpan) {
  const wanted = withBuffer(span, buffer);
  const late = { from: span.startsAt, to: nightEnd(day, zone, buffer.nightEndsAt) };
  return reservations.filter(
    (one) =>
      overlaps(one, wanted) || (timeIsAssumed && overlaps({ from: one.span.startsAt, to: one.span.endsAt }, late)),
  );
}

export function decideDate(input: DateInput): DateDecision {
  const { now, day, zone, span, declinedKind } = input;
  if (declinedKind)
    return { state: "kind_declined", message: `${input.artistName} does not play ${eventKindNames[declinedKind]}.` };
  const outside = input.limits ? outsideLimits(day, input.limits, zone, now) : undefined;
  if (outside) return outside;
  if ("missing" in span) return { state: "invalid_time", ...span.missing };
  if (span.startsAt <= now)
    return input.timeIsAssumed
      ? { state: "incomplete", message: "Choose a time to see whether it is free." }
      : { state: "too_soon", message: "This time has passed. Choose a later one." };
  const night = nightOf(span.startsAt, zone, input.buffer.nightEndsAt);
  const closed = { state: "closed", message: `${input.artistName} does not play on ${describeDay(night)}.` } as const;
  if (input.limits && !isNightOpen(night, input.limits)) return closed;
  const conflicts = conflictsOf(input, span);
  const own = conflicts.find((one) => one.own && one.kind === "hold");
  if (own) return ownHold(own, now);
  const booked = conflicts.find((one) => one.kind === "booked");
  if (booked) return heldOrBooked(input, booked);
  const busy = input.entries.filter((one) => overlaps(one, withBuffer(span, input.buffer)));
  if (busy.some((one) => one.kind === "external"))
    return { state: "taken", message: `${describeDay(day)} is taken. ${input.artistName} is busy at that time.` };
  if (busy.some((one) => one.kind === "blocked")) return closed;
  if (conflicts[0]) return heldOrBooked(input, conflicts[0]);
  const held = input.queue?.isOwn === false ? input.queue : busy[0];
  if (held) return onHold(input, held.until ?? null);
  return (
    (input.person && personLimit(input, input.person)) ?? { state: "free", message: `${describeDay(day)} is free.` }
  );
}

/** Describes the caller's own hold. After its time it cannot be paid any more, only end. */
export function describeOwnHold({ day, time, zone, expiresAt, staysOnHold }: KnownReservation, now: Date) {
  const until = heldUntil(expiresAt ?? now);
  const open = (expiresAt ?? now) > now;
  const message = open
    ? `You already hold ${describeDay(day)}, ${time}. Your checkout is open until ${describeTime(zone, until)}: continue to the payment, or release the hold.`
    : `Your checkout for ${describeDay(day)}, ${time}, has ended. ${staysOnHold ? "Your hold of the night stays." : "The date is free again in a few minutes."}`;
  return { message, open, until };
}

function ownHold(own: KnownReservation, now: Date): DateDecision {
  const { message, until } = describeOwnHold(own, now);
  return { state: "own_hold", message, from: until, by: own };
}

function heldOrBooked({ day, zone, artistName, now }: DateInput, other: KnownReservation): DateDecision {
  if (other.own)
    return {
      state: "own_booking",
      message: `You have booked ${artistName} for ${describeDay(other.day)}, ${other.time}.`,
      by: other,
    };
  if (!other.expiresAt)
    return {
      state: "taken",
      message: `${describeDay(day)} is taken. ${artistName} is booked at that time.`,
      by: other,
    };
  const until = heldUntil(other.expiresAt);
  const end = other.staysOnHold
    ? "If they do not pay, the night stays on hold"
    : until > now
      ? `If they do not pay, the date is free again after ${describeTime(zone, until)}`
      : "Their time is over, and the date is free again in a few minutes unless they have paid";
  return {
    state: "held",
    message: `${describeDay(day)} is on hold for ${holdLimits.shownMinutes} minutes. Another promoter is at the checkout. ${end}.`,
    from: until,
    by: other,
  };
}

function onHold({ day, zone, now }: DateInput, until: Date | null): DateDecision {
  const end =
    until && until > now ? ` until ${describeDay(dayIn(zone, until))}, ${describeTime(zone, until)} at the latest` : "";
  return { state: "held", message: `${describeDay(day)} is on hold${end}.`, from: until };
}

/** Applies the limits on holding: one hold per artist and date, two in all, none again immediately. */
function personLimit(input: DateInput, person: NonNullable<DateInput["person"]>): DateDecision | undefined {
  const { day, zone, now } = input;
  const sameDay = input.reservations.find((one) => one.own && one.kind === "hold" && one.day === day);
  if (sameDay) return ownHold(sameDay, now);
  if (person.open.some((hold) => hold.artistIsSame && hold.day === day))
    return {
      state: "held_elsewhere",
      message:
        "A checkout for this artist and date is already open with your address. Finish it where you opened it, or use the link in your email.",
    };
  const maxDays = Math.max(
    ...(["browser", "address", "email"] as const).map((key) => person.open.filter((hold) => hold[key]).length),
  );
  if (maxDays >= holdLimits.open)
    return {
      state: "too_many_holds",
      message: `You are holding ${holdLimits.open} dates already. Pay for one of them or release it before you hold another.`,
    };
  if (!person.lastEnded) return undefined;
  if (person.lastEnded.getTime() + holdLimits.renewalMinutes * minuteMs <= now.getTime()) return undefined;
  const from = holdableAgainFrom(person.lastEnded);
  // Who may book the night on hold would lose it by waiting.
  if (input.queue?.isOwn && input.queue.until <= from) return undefined;
  return {
    state: "held_before",
    message: `You have just held ${describeDay(day)}. To give others a chance, you can hold it again from ${describeTime(zone, from)}.`,
    from,
  };
}

type OwnNight = Pick<DateInput, "now" | "day" | "zone" | "reservations" | "entries"> &
  Readonly<{ settings: DateLimits & Buffer; hasQueue: boolean }>;

/** Returns the state of a night for its artist: the decision on a request for the assumed show, and its cause. */
export function decideOwnNight({ settings, hasQueue, ...night }: OwnNight): OwnNightState {
  const { day, zone, now } = night;
  const startsAt = instantOf(`${day}T${assumedShow.time}`, zone);
  const { state, by } = decideDate({
    ...night,
    artistName: "",
    limits: settings,
    buffer: settings,
    span: { startsAt, endsAt: new Date(startsAt.getTime() + assumedShow.minutes * minuteMs) },
    declinedKind: null,
    timeIsAssumed: true,
    queue: hasQueue ? { until: now, isOwn: false } : null,
    person: null,
  });
  switch (state) {
    case "too_soon":
      return day < dayIn(zone, now) ? "past" : "too_soon";
    case "incomplete":
      return "begun";
    case "closed":
      return isNightOpen(day, settings) ? "blocked" : "closed";
    case "taken":
      return by ? "booked" : "external";
    case "held":
      return by ? "at_checkout" : "on_hold";
    case "too_far":
    case "free":
      return state;
    default:
      throw new Error(`A night of the artist cannot be ${state}.`);
  }
}
