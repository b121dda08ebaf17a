import fc from "fast-check";
import { expect, test } from "vitest";
import { eventSpan } from "#calendar/time.rules.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { type BalanceStep, balanceSteps, extensionDays, planBalance, stepNow } from "./balance-plan.rules.ts";
import { balanceDueDay } from "./due-day.rules.ts";

const zones = [
  "America/Chicago",
  "Europe/London",
  "Pacific/Auckland",
  "Asia/Kolkata",
  "America/St_Johns",
  "Pacific/Apia",
  "UTC",
] as const;

const shows = fc
  .record({
    zone: fc.constantFrom(...zones),
    day: fc.integer({ min: 0, max: 3_000 }),
    hour: fc.integer({ min: 4, max: 23 }),
    before: fc.integer({ min: 60_000, max: 200 * dayMs }),
  })
  .map(({ zone, day, hour, before }) => {
    const eventDate = addDays("2027-01-01", day);
    const span = eventSpan({ date: eventDate, time: `${String(hour).padStart(2, "0")}:00`, zone, minutes: 120 });
    if ("missing" in span) throw new Error(span.missing.message);
    const { startsAt } = span;
    return { zone, eventDate, startsAt, startedAt: new Date(startsAt.getTime() - before) };
  });

const clockIn = (zone: string, at: Date) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);

type Show = { zone: string; startsAt: Date; startedAt: Date };
type Round = { dueDay: string | null; round: number };

const planOf = ({ zone, startsAt, startedAt, dueDay, round }: Show & Round) =>
  planBalance({ time_zone: zone, starts_at: startsAt }, { started_at: startedAt, due_day: dueDay, round });

function walk(input: Show & Round, from: Date) {
  const plan = planOf(input);
  const done: { step: BalanceStep; at: Date }[] = [];
  let last: BalanceStep | null = null;
  let now: Date | undefined = from;
  while (now) {
    const { step, next } = stepNow(plan, { last, startsAt: input.startsAt, now });
    if (step) done.push({ step, at: now });
    last = step ?? last;
    now = next?.at;
  }
  return done;
}

test("balanceDueDay returns 28 local days before the event, and null when it is closer", () => {
  fc.assert(
    fc.property(shows, ({ zone, eventDate, startedAt }) => {
      const due = balanceDueDay(eventDate, zone, startedAt);
      const regular = addDays(eventDate, -28);
      expect(due).toBe(regular > dayIn(zone, startedAt) ? regular : null);
    }),
  );
});

test("planBalance returns each step once, in order, between the start and the show, in every zone", () => {
  fc.assert(
    fc.property(shows, fc.integer({ min: 0, max: 3 }), (show, round) => {
      const days = extensionDays(show.eventDate, show.zone, show.startedAt);
      const dueDay = round === 0 ? balanceDueDay(show.eventDate, show.zone, show.startedAt) : (days?.to ?? null);
      const { steps, dueAt, overdueAt } = planOf({ ...show, dueDay, round });
      const places = steps.map(({ step }) => balanceSteps.indexOf(step));
      expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
      for (const [index, { at }] of steps.entries()) {
        expect(at.getTime()).toBeGreaterThanOrEqual(show.startedAt.getTime());
        expect(at.getTime()).toBeLessThanOrEqual(show.startsAt.getTime());
        expect(at.getTime()).toBeGreaterThanOrEqual(steps[index - 1]?.at.getTime() ?? 0);
      }
      expect(overdueAt.getTime()).toBeGreaterThanOrEqual(dueAt.getTime());
      const late = steps.filter(({ step }) => !["reminder", "due"].includes(step));
      for (const { at } of late) expect(at.getTime()).toBeGreaterThanOrEqual(overdueAt.getTime());
    }),
  );
});

test("planBalance with a due day schedules every step at 9:00 local time, also across a clock change", () => {
  fc.assert(
    fc.property(shows, (show) => {
      const dueDay = balanceDueDay(show.eventDate, show.zone, show.startedAt);
      fc.pre(dueDay !== null);
      const { steps } = planOf({ ...show, dueDay, round: 0 });
      const days: Record<BalanceStep, number> = {
        reminder: -35,
        due: -28,
        overdue: -27,
        overdue_again: -25,
        last_call: -21,
        decision: -14,
      };
      for (const { step, at } of steps) {
        expect(clockIn(show.zone, at)).toBe("09:00");
        expect(dayIn(show.zone, at)).toBe(addDays(show.eventDate, days[step]));
      }
      expect(steps.map(({ step }) => step).filter((step) => step !== "reminder")).toEqual(balanceSteps.slice(1));
    }),
  );
});

test("planBalance below 28 days is due immediately, with steps at a quarter, half and three quarters of the remaining time", () => {
  fc.assert(
    fc.property(shows, (show) => {
      fc.pre(balanceDueDay(show.eventDate, show.zone, show.startedAt) === null);
      const { steps, dueAt } = planOf({ ...show, dueDay: null, round: 0 });
      const left = show.startsAt.getTime() - show.startedAt.getTime();
      const quarter = (count: number) => new Date(show.startedAt.getTime() + Math.floor((left * count) / 4));
      expect(dueAt).toEqual(show.startedAt);
      expect(steps).toEqual([
        { step: "due", at: quarter(0) },
        { step: "overdue", at: quarter(1) },
        { step: "last_call", at: quarter(2) },
        { step: "decision", at: quarter(3) },
      ]);
    }),
  );
});

test("stepNow returns every step once at its time when run on schedule", () => {
  fc.assert(
    fc.property(shows, (show) => {
      const input = { ...show, dueDay: balanceDueDay(show.eventDate, show.zone, show.startedAt), round: 0 };
      expect(walk(input, show.startedAt)).toEqual(planOf(input).steps);
    }),
  );
});

test("stepNow returns one step for all missed ones after an outage, and never the decision first", () => {
  fc.assert(
    fc.property(shows, fc.double({ min: 0, max: 0.99, noNaN: true }), (show, part) => {
      const input = { ...show, dueDay: balanceDueDay(show.eventDate, show.zone, show.startedAt), round: 0 };
      const away = new Date(
        show.startedAt.getTime() + Math.floor((show.startsAt.getTime() - show.startedAt.getTime()) * part),
      );
      const missed = planOf(input).steps.filter(({ at }) => at <= away);
      const done = walk(input, away);
      if (missed.length > 0) expect(done[0]?.at).toEqual(away);
      expect(done[0]?.step).not.toBe("decision");
      expect(new Set(done.map(({ step }) => step)).size).toBe(done.length);
      for (const [index, { at }] of done.entries()) {
        const before = done[index - 1]?.at;
        if (before && at < show.startsAt) expect(at.getTime()).toBeGreaterThan(before.getTime());
      }
    }),
  );
});

test("stepNow returns one request for a booking that was never requested before its show", () => {
  const startsAt = new Date("2027-03-13T20:00:00Z");
  const input = { zone: "UTC", startsAt, startedAt: new Date("2027-03-14T20:00:00Z") };
  expect(walk({ ...input, dueDay: null, round: 0 }, input.startedAt)).toEqual([{ step: "due", at: input.startedAt }]);
});

test("extensionDays returns today to the day before the event", () => {
  const at = (text: string) => extensionDays("2027-03-13", "America/Chicago", new Date(text));
  expect(at("2027-03-01T12:00:00Z")).toEqual({ from: "2027-03-01", to: "2027-03-12" });
  // 23:30 in Chicago.
  expect(at("2027-03-13T05:30:00Z")).toEqual({ from: "2027-03-12", to: "2027-03-12" });
  expect(at("2027-03-13T06:30:00Z")).toBeNull();
});
