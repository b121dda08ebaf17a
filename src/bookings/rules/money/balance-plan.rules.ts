/** The schedule of balance requests and reminders (decision 210). Pure functions in the event's zone. */

import { Temporal } from "temporal-polyfill";
import { dayStart } from "#calendar/time.rules.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

/** The steps in order. From `decision` on, the artist may extend the due date or release the date. */
export const balanceSteps = ["reminder", "due", "overdue", "overdue_again", "last_call", "decision"] as const;
export type BalanceStep = (typeof balanceSteps)[number];

/** The input of a plan. `due_day` is a local day, or null if the balance is due immediately, at `started_at`. */
export type BalanceRound = Readonly<{
  started_at: Date;
  due_day: string | null;
  /** 0 for the first due date. Every extension adds one. */
  round: number;
}>;

type PlannedStep = Readonly<{ step: BalanceStep; at: Date }>;

/** The balance is overdue from `overdueAt`. The steps are in order, none before the start or after the show begins. */
export type BalancePlan = Readonly<{ dueAt: Date; overdueAt: Date; steps: readonly PlannedStep[] }>;

const regularDays = {
  reminder: -7,
  due: 0,
  overdue: 1,
  overdue_again: 3,
  last_call: 7,
  decision: 14,
} as const satisfies Record<BalanceStep, number>;

/** The steps of a closer due date, in quarters of the remaining time until the show. */
const quarters = { overdue: 1, last_call: 2, decision: 3 } as const;

const localMailHour = 9;
/** The least time between two steps, if an outage has delayed the first. */
const minGapMs = 12 * hourMs;

export function planBalance(
  { time_zone: zone, starts_at: startsAt }: Readonly<{ time_zone: string; starts_at: Date }>,
  { started_at: startedAt, due_day: dueDay, round }: BalanceRound,
): BalancePlan {
  if (dueDay === null) {
    const rest = inQuarters(startedAt, startsAt);
    return { dueAt: startedAt, overdueAt: rest[0]?.at ?? startsAt, steps: [{ step: "due", at: startedAt }, ...rest] };
  }
  const dueAt = dayStart(zone, addDays(dueDay, 1));
  const onDay = (step: BalanceStep): PlannedStep => ({ step, at: morningOf(zone, addDays(dueDay, regularDays[step])) });
  const steps = round === 0 ? balanceSteps.map(onDay) : [onDay("due"), ...inQuarters(dueAt, startsAt)];
  return { dueAt, overdueAt: dueAt, steps: steps.filter(({ at }) => at >= startedAt && at <= startsAt) };
}

function inQuarters(from: Date, startsAt: Date): PlannedStep[] {
  const left = startsAt.getTime() - from.getTime();
  if (left <= 0) return [];
  return (Object.keys(quarters) as (keyof typeof quarters)[]).map((step) => ({
    step,
    at: new Date(from.getTime() + Math.floor((left * quarters[step]) / 4)),
  }));
}

export const chargeMoment = (zone: string, dueDay: string): Date => morningOf(zone, dueDay);

const morningOf = (zone: string, day: string): Date =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: { hour: localMailHour } })
      .epochMilliseconds,
  );

/** Returns the step due now and the next one. After an outage only the latest missed step is done, and the decision neither without a reminder nor once the show has begun. */
export function stepNow(
  plan: BalancePlan,
  { last, startsAt, now }: { last: BalanceStep | null; startsAt: Date; now: Date },
): { step: BalanceStep | null; next: PlannedStep | null } {
  const open = plan.steps.filter(({ step }) => last === null || isAfter(step, last));
  const missed = open.filter(({ at }) => at <= now);
  const chosen = missed.findLast(({ step }) => step !== "decision") ?? (now < startsAt ? missed[0] : undefined);
  if (!chosen) return { step: null, next: now < startsAt ? (open[0] ?? null) : null };
  const after = open.find(({ step }) => isAfter(step, chosen.step));
  return { step: chosen.step, next: after ? notBefore(after, startsAt, now) : null };
}

const isAfter = (one: BalanceStep, other: BalanceStep) => balanceSteps.indexOf(one) > balanceSteps.indexOf(other);

/** Moves the next step to at least 12 hours from now, or a quarter of the remaining time if that is less. Returns null once the show has begun. */
function notBefore(planned: PlannedStep, startsAt: Date, now: Date): PlannedStep | null {
  const left = startsAt.getTime() - now.getTime();
  if (left <= 0) return null;
  const min = now.getTime() + Math.min(minGapMs, Math.floor(left / 4));
  return { ...planned, at: new Date(Math.max(planned.at.getTime(), min)) };
}

/** Returns the days to which the artist may move the due date: from today to the day before the event. Null if there are none. */
export function extensionDays(eventDate: string, zone: string, now: Date): { from: string; to: string } | null {
  const from = dayIn(zone, now);
  const to = addDays(eventDate, -1);
  return from <= to ? { from, to } : null;
}
