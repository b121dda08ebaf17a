import { describe, expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import {
  type DateInput,
  decideDate,
  decideOwnNight,
  describeOwnHold,
  type KnownEntry,
  type KnownReservation,
} from "./decision.rules.ts";
import { nightEnd, nightOf } from "./night.rules.ts";
import { eventSpan, withBuffer } from "./time.rules.ts";

const zone = "America/Chicago";
const day = "2027-02-13";
const now = new Date("2027-01-10T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * minuteMs);
const spanAt = (time: string, length = 120) => {
  const span = eventSpan({ date: day, time, zone, minutes: length });
  if ("missing" in span) throw new Error("no such time");
  return span;
};

const margins = { bufferBefore: 60, bufferAfter: 60 };
const reservedAt = (time: string) => withBuffer(spanAt(time), margins);
const limited = (minimumNotice: number, maximumBookingDays: number) => ({
  minimumNotice,
  maximumBookingDays,
  openNights: artistDefaults.openNights,
  nightExceptions: artistDefaults.nightExceptions,
  nightEndsAt: "06:00",
});

const input = (given: Partial<DateInput> = {}): DateInput => ({
  now,
  artistName: "Electric Dreams",
  day,
  zone,
  limits: limited(7, 365),
  buffer: { ...margins, nightEndsAt: "06:00" },
  entries: [],
  queue: null,
  span: spanAt("20:00"),
  declinedKind: null,
  timeIsAssumed: false,
  reservations: [],
  person: null,
  ...given,
});

const reservation = (given: Partial<KnownReservation> = {}): KnownReservation => {
  const span = spanAt(given.time ?? "20:00");
  const booked = { bookingId: "b1", own: false, kind: "booked", day, time: "20:00", zone, expiresAt: null } as const;
  return { ...booked, ...withBuffer(span, margins), span, ...given };
};
const hold = (given: Partial<KnownReservation> = {}) => reservation({ kind: "hold", expiresAt: minutes(21), ...given });
const decide = (given: Partial<DateInput> = {}) => decideDate(input(given));

describe("decideDate", () => {
  test("returns free for a date without obstacles", () => {
    expect(decide()).toEqual({ state: "free", message: "Saturday 13 February 2027 is free." });
  });

  test("refuses a kind of event that the artist does not play, before all other reasons", () => {
    const declined = decide({ declinedKind: "wedding", day: "2026-01-01", reservations: [reservation()] });
    expect(declined).toEqual({ state: "kind_declined", message: "Electric Dreams does not play weddings." });
  });

  test("refuses a date outside of notice and advance, unless the request was accepted before", () => {
    const limits = limited(60, 365);
    expect(decide({ limits })).toMatchObject({ state: "too_soon", first: "2027-03-11" });
    expect(decide({ limits: limited(0, 10) })).toMatchObject({ state: "too_far", last: "2027-01-20" });
    expect(decide({ limits: null }).state).toBe("free");
  });

  test("refuses a local time that does not exist, with the next valid one", () => {
    const missing = { message: "02:30 does not exist.", nextValid: { date: day, time: "03:00" } };
    expect(decide({ span: { missing } })).toEqual({ state: "invalid_time", ...missing });
  });

  test("refuses a time that has passed, to the millisecond, and requires a time if one is assumed", () => {
    const span = spanAt("20:00");
    const passed = { span, now: span.startsAt, limits: null };
    expect(decide(passed)).toEqual({ state: "too_soon", message: "This time has passed. Choose a later one." });
    const message = "Choose a time to see whether it is free.";
    expect(decide({ ...passed, timeIsAssumed: true })).toEqual({ state: "incomplete", message });
    expect(decide({ ...passed, now: new Date(span.startsAt.getTime() - 1) }).state).toBe("free");
  });

  test("returns taken for a booked date", () => {
    const by = reservation();
    expect(decide({ reservations: [by] })).toEqual({
      state: "taken",
      message: "Saturday 13 February 2027 is taken. Electric Dreams is booked at that time.",
      by,
    });
    expect(decide({ reservations: [hold({ expiresAt: null })] }).state).toBe("taken");
  });

  test("ignores reservations that only touch the requested time", () => {
    const { from: reservedFrom, to: reservedTo } = reservedAt("20:00");
    const before = (ms: number) => reservation({ from: new Date(0), to: new Date(reservedFrom.getTime() + ms) });
    const after = (ms: number) => reservation({ from: new Date(reservedTo.getTime() - ms), to: minutes(100_000_000) });
    expect(decide({ reservations: [before(0), after(0)] }).state).toBe("free");
    for (const one of [before(1), after(1)]) expect(decide({ reservations: [one] }).state).toBe("taken");
  });

  test("refuses the artist's blocked times and entries of other calendars, without a reason", () => {
    const { from, to } = reservedAt("20:00");
    const closed = "Electric Dreams does not play on Saturday 13 February 2027.";
    expect(decide({ entries: [{ kind: "blocked", from, to }] })).toMatchObject({ state: "closed", message: closed });
    expect(decide({ entries: [{ kind: "blocked", from, to }], limits: null }).state).toBe("closed");
    expect(decide({ entries: [{ kind: "external", from, to }] })).toMatchObject({
      state: "taken",
      message: "Saturday 13 February 2027 is taken. Electric Dreams is busy at that time.",
    });
    expect(decide({ entries: [{ kind: "blocked", from: to, to: minutes(100_000_000) }] }).state).toBe("free");
  });

  test("follows the weekly pattern and first its exceptions, by the night that a late set belongs to", () => {
    const limits = limited(7, 365);
    const noSaturdays = { ...limits, openNights: limits.openNights.filter((one) => one !== "sat") };
    expect(decide({ limits: noSaturdays }).state).toBe("closed");
    expect(decide({ limits: { ...noSaturdays, nightExceptions: [{ night: day, open: true }] } }).state).toBe("free");
    expect(decide({ limits: { ...limits, nightExceptions: [{ night: day, open: false }] } }).state).toBe("closed");
    // 01:00 on Saturday is Friday night.
    expect(decide({ limits: noSaturdays, span: spanAt("01:00") }).state).toBe("free");
    const midnight = { ...margins, nightEndsAt: "00:00" };
    expect(decide({ limits: noSaturdays, span: spanAt("01:00"), buffer: midnight }).state).toBe("closed");
    expect(nightOf(spanAt("05:59").startsAt, zone, "06:00")).toBe("2027-02-12");
    expect(nightOf(spanAt("06:00").startsAt, zone, "06:00")).toBe(day);
  });

  test("counts a later set of the same night if no time was given", () => {
    const late = reservation({
      ...withBuffer({ startsAt: minutes(0), endsAt: minutes(1) }, margins),
      span: spanAt("23:30"),
    });
    expect(decide({ reservations: [late] }).state).toBe("free");
    expect(decide({ reservations: [late], timeIsAssumed: true }).state).toBe("taken");
    // The night ends at 06:00, and the assumed show begins at 20:00.
    const end = nightEnd(day, zone, "06:00");
    const beside = (startsAt: Date, endsAt: Date) => ({ ...late, span: { startsAt, endsAt } });
    const states = (one: KnownReservation) => decide({ reservations: [one], timeIsAssumed: true }).state;
    expect(states(beside(end, new Date(end.getTime() + minuteMs)))).toBe("free");
    expect(states(beside(new Date(end.getTime() - 1), end))).toBe("taken");
    expect(states(beside(now, spanAt("20:00").startsAt))).toBe("free");
  });

  test("returns held for the checkout of another promoter, with the end of the 30 minutes", () => {
    const by = hold();
    expect(decide({ reservations: [by] })).toEqual({
      state: "held",
      message:
        "Saturday 13 February 2027 is on hold for 30 minutes. Another promoter is at the checkout. If they do not pay, the date is free again after 06:20 (US Central).",
      from: minutes(20),
      by,
    });
    expect(decide({ reservations: [hold({ expiresAt: minutes(1) })] })).toMatchObject({
      message:
        "Saturday 13 February 2027 is on hold for 30 minutes. Another promoter is at the checkout. Their time is over, and the date is free again in a few minutes unless they have paid.",
      from: now,
    });
  });

  test("returns held for a night with a queue of holds, with its end, and free to the hold that may book it", () => {
    const [until, message] = [minutes(90), "Saturday 13 February 2027 is on hold"];
    const held = (end: string, from: Date | null) => ({ state: "held", message: message + end, from });
    const limited = " until Sunday 10 January 2027, 07:30 (US Central) at the latest.";
    expect(decide({ queue: { until, isOwn: false } })).toEqual(held(limited, until));
    expect(decide({ queue: { until: now, isOwn: false } })).toEqual(held(".", now));
    expect(decide({ queue: { until, isOwn: true } }).state).toBe("free");
    const entry = (given: Partial<KnownEntry> = {}): KnownEntry => ({
      kind: "on_hold",
      ...reservedAt("20:00"),
      ...given,
    });
    const other = [entry({ until })];
    expect(decide({ entries: other })).toEqual(held(limited, until));
    expect(decide({ entries: other, queue: { until: now, isOwn: true } })).toEqual(held(limited, until));
    expect(decide({ entries: other, queue: { until: now, isOwn: false } })).toEqual(held(".", now));
    for (const given of [{ until: null }, {}]) expect(decide({ entries: [entry(given)] })).toEqual(held(".", null));
    const { from } = reservedAt("20:00");
    expect(decide({ entries: [entry({ from: now, to: from })] }).state).toBe("free");
    const [busy, blocked] = [entry({ kind: "external" }), entry({ kind: "blocked" })];
    expect(decide({ entries: [...other, blocked], reservations: [hold()] }).state).toBe("closed");
    expect(decide({ entries: [blocked, busy], reservations: [hold()] }).state).toBe("taken");
    expect(decide({ entries: other, reservations: [hold()] }).by).toBeDefined();
  });

  test("states that the night stays on hold if a ranked hold outlasts the checkout", () => {
    const message = (given: Partial<DateInput>) => decide(given).message;
    expect(message({ reservations: [hold({ staysOnHold: true })] })).toMatch(
      /at the checkout\. If they do not pay, the night stays on hold\.$/,
    );
    expect(message({ reservations: [hold({ own: true, staysOnHold: true, expiresAt: now })] })).toMatch(
      /has ended\. Your hold of the night stays\.$/,
    );
  });

  test("prefers a booking to a hold as the reason, and the caller's own hold to both", () => {
    const [booked, other, own] = [reservation(), hold(), hold({ own: true, bookingId: "mine" })];
    expect(decide({ reservations: [other, booked] }).by).toBe(booked);
    expect(decide({ reservations: [other, booked, own] })).toMatchObject({ state: "own_hold", by: own });
    expect(decide({ reservations: [reservation({ own: true })] })).toMatchObject({
      state: "own_booking",
      message: expect.stringMatching(/^You have booked .+ for Saturday 13 February 2027, /),
    });
  });

  describe("holding limits", () => {
    type Person = NonNullable<DateInput["person"]>;
    const person = (given: Partial<Person> = {}): Person => ({ open: [], lastEnded: null, ...given });
    const open = (given: Partial<Person["open"][number]> = {}) => ({
      artistIsSame: false,
      day: "2027-05-01",
      browser: false,
      address: false,
      email: false,
      ...given,
    });

    test("returns the caller's own hold of another hour of the same day", () => {
      const morning = hold({ own: true, time: "10:00" });
      expect(decide({ reservations: [morning], person: person() })).toMatchObject({ state: "own_hold", by: morning });
      expect(decide({ reservations: [morning] }).state).toBe("free");
      for (const other of [{ day: "2027-02-14" }, { own: false }, { kind: "booked" }] as const)
        expect(decide({ reservations: [{ ...morning, ...other }], person: person() }).state).toBe("free");
    });

    test("refuses a second checkout for the same artist and date", () => {
      expect(decide({ person: person({ open: [open({ artistIsSame: true, day })] }) })).toEqual({
        state: "held_elsewhere",
        message:
          "A checkout for this artist and date is already open with your address. Finish it where you opened it, or use the link in your email.",
      });
      expect(decide({ person: person({ open: [open({ day })] }) }).state).toBe("free");
      expect(decide({ person: person({ open: [open({ artistIsSame: true })] }) }).state).toBe("free");
    });

    test.each(["browser", "address", "email"] as const)("refuses a third open hold of one %s", (key) => {
      const one = open({ [key]: true });
      expect(decide({ person: person({ open: [one, one] }) })).toEqual({
        state: "too_many_holds",
        message: "You are holding 2 dates already. Pay for one of them or release it before you hold another.",
      });
      expect(decide({ person: person({ open: [one, open()] }) }).state).toBe("free");
    });

    test("refuses the date for 30 minutes after the caller's hold of it ended", () => {
      expect(decide({ person: person({ lastEnded: minutes(-29.5) }) })).toEqual({
        state: "held_before",
        message:
          "You have just held Saturday 13 February 2027. To give others a chance, you can hold it again from 06:01 (US Central).",
        from: minutes(1),
      });
      expect(decide({ person: person({ lastEnded: minutes(-30) }) }).state).toBe("free");
      expect(decide({ person: person() }).state).toBe("free");
    });

    test("lets the first hold open the checkout again if it would end during these 30 minutes", () => {
      const state = (until: Date, isOwn = true) =>
        decide({ person: person({ lastEnded: minutes(-20) }), queue: { until, isOwn } }).state;
      expect([state(minutes(10)), state(minutes(10.1)), state(minutes(10), false)]).toEqual([
        "free",
        "held_before",
        "held",
      ]);
    });
  });
});

describe("describeOwnHold", () => {
  test("states until when the checkout is open, or that it has ended", () => {
    expect(describeOwnHold(hold(), now)).toEqual({
      message:
        "You already hold Saturday 13 February 2027, 20:00. Your checkout is open until 06:20 (US Central): continue to the payment, or release the hold.",
      open: true,
      until: minutes(20),
    });
    const ended = {
      message:
        "Your checkout for Saturday 13 February 2027, 20:00, has ended. The date is free again in a few minutes.",
      open: false,
    };
    expect(describeOwnHold(hold({ expiresAt: now }), now)).toMatchObject({ ...ended, until: minutes(-1) });
    expect(describeOwnHold(hold({ expiresAt: null }), now)).toMatchObject(ended);
  });
});

describe("decideOwnNight", () => {
  type OwnNight = Parameters<typeof decideOwnNight>[0];
  const settings = { ...limited(7, 365), ...margins };
  const own = (given: Partial<OwnNight> = {}) =>
    decideOwnNight({ now, day, zone, reservations: [], entries: [], settings, hasQueue: false, ...given });
  const entry = (kind: KnownEntry["kind"]): Pick<OwnNight, "entries"> => ({
    entries: [{ kind, ...reservedAt("20:00") }],
  });
  const evening = spanAt("20:00").startsAt;
  const noNotice = { ...settings, minimumNotice: 0 };

  test.each([
    ["free", {}],
    ["past", { day: "2027-01-09" }],
    ["too_soon", { day: "2027-01-10" }],
    ["too_soon", { day: "2027-01-16" }],
    ["free", { now: new Date(evening.getTime() - 1), settings: noNotice }],
    ["begun", { now: evening, settings: noNotice }],
    ["too_far", { day: "2028-01-11" }],
    ["closed", { settings: { ...settings, openNights: [] } }],
    ["blocked", entry("blocked")],
    ["external", entry("external")],
    ["booked", { reservations: [reservation()] }],
    ["booked", { reservations: [reservation({ time: "23:30" })] }],
    ["free", { reservations: [reservation({ time: "15:00" })] }],
    ["at_checkout", { reservations: [hold()] }],
    ["on_hold", entry("on_hold")],
    ["on_hold", { hasQueue: true }],
  ] satisfies [string, Partial<OwnNight>][])("returns %s for the artist's night %#", (state, given) => {
    expect(own(given)).toBe(state);
  });

  test("counts the three hours of the assumed show, with travel and set-up", () => {
    const from = new Date(evening.getTime() + 240 * minuteMs);
    const after = (at: Date) => own({ entries: [{ kind: "blocked", from: at, to: minutes(100_000_000) }] });
    expect([after(from), after(new Date(from.getTime() - 1))]).toEqual(["free", "blocked"]);
  });

  test("throws for a state that no night of the artist has", () => {
    const mine = { reservations: [hold({ own: true })] };
    expect(() => own(mine)).toThrow("A night of the artist cannot be own_hold.");
  });
});
