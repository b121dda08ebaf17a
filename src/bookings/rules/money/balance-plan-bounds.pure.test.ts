import { describe, expect, test } from "vitest";
import { type BalanceRound, planBalance, stepNow } from "./balance-plan.rules.ts";
import { balanceDueDay } from "./due-day.rules.ts";

const at = (text: string) => new Date(`${text}Z`);
const eventDate = "2027-03-31";
const startsAt = at("2027-03-31T20:00:00");
const planOf = ({ starts_at = startsAt, ...more }: Partial<BalanceRound & { starts_at: Date }>) =>
  planBalance(
    { time_zone: "UTC", starts_at },
    { started_at: at("2027-01-01T09:00:00"), due_day: "2027-03-03", round: 0, ...more },
  );
const steps = (more: Parameters<typeof planOf>[0]) =>
  planOf(more).steps.map(({ step, at: moment }) => `${step} ${moment.toISOString().slice(0, 16)}`);

test("balanceDueDay returns null on the due day itself", () => {
  expect(balanceDueDay(eventDate, "UTC", at("2027-03-02T23:59:59"))).toBe("2027-03-03");
  expect(balanceDueDay(eventDate, "UTC", at("2027-03-03T00:00:00"))).toBe(null);
});

describe("planBalance", () => {
  test("returns the due day and the quarters of the remaining time for an extension", () => {
    expect(steps({ round: 1, due_day: "2027-03-27" })).toEqual([
      "due 2027-03-27T09:00",
      "overdue 2027-03-28T23:00",
      "last_call 2027-03-29T22:00",
      "decision 2027-03-30T21:00",
    ]);
  });

  test("includes steps exactly at the start and at the show", () => {
    expect(steps({ started_at: at("2027-03-03T09:00:00") })[0]).toBe("due 2027-03-03T09:00");
    expect(steps({ started_at: at("2027-03-03T09:00:01") })[0]).toBe("overdue 2027-03-04T09:00");
    const early = { starts_at: at("2027-03-06T09:00:00") };
    expect(steps(early).at(-1)).toBe("overdue_again 2027-03-06T09:00");
    expect(steps({ starts_at: at("2027-03-06T08:59:59") }).at(-1)).toBe("overdue 2027-03-04T09:00");
  });

  test("returns only the first step when the balance is requested at the show", () => {
    expect(planOf({ due_day: null, started_at: startsAt })).toEqual({
      dueAt: startsAt,
      overdueAt: startsAt,
      steps: [{ step: "due", at: startsAt }],
    });
  });
});

describe("stepNow", () => {
  const plan = planOf({});

  test("returns only the latest missed step, and schedules the decision for later", () => {
    const now = at("2027-03-20T12:00:00");
    const { step, next } = stepNow(plan, { last: null, startsAt, now });
    expect([step, next]).toEqual(["last_call", { step: "decision", at: at("2027-03-21T00:00:00") }]);
  });

  test("returns the decision once all earlier steps are done", () => {
    const now = at("2027-03-20T12:00:00");
    expect(stepNow(plan, { last: "last_call", startsAt, now })).toEqual({ step: "decision", next: null });
  });

  test("returns no next step after the show has begun", () => {
    const last = "overdue" as const;
    for (const now of [startsAt, new Date(startsAt.getTime() + 1)])
      expect(stepNow(plan, { last, startsAt, now })).toEqual({ step: "last_call", next: null });
  });

  test("returns no decision once the show has begun, because the artist can no longer decide", () => {
    expect(stepNow(plan, { last: "last_call", startsAt, now: startsAt })).toEqual({ step: null, next: null });
    const before = new Date(startsAt.getTime() - 1);
    expect(stepNow(plan, { last: "last_call", startsAt, now: before })).toEqual({ step: "decision", next: null });
  });

  test("schedules the next step after a quarter of the remaining time if that is less than 12 hours", () => {
    const now = at("2027-03-31T12:00:00");
    const { next } = stepNow(plan, { last, startsAt, now });
    expect(next).toEqual({ step: "decision", at: at("2027-03-31T14:00:00") });
  });
  const last = "overdue" as const;
});
