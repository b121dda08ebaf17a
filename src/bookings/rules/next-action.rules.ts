import { dayStart } from "#calendar/time.rules.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import type { Deadline } from "./deadlines.rules.ts";
import { planBalance } from "./money/balance-plan.rules.ts";
import { balanceDueDay } from "./money/due-day.rules.ts";
import type { Permissions } from "./permissions.rules.ts";

/** The input of the deadline. `schedule`: of a requested balance, with ISO timestamps. */
export type NextActionInput = Readonly<{
  event_date: string;
  time_zone: string;
  starts_at: Date;
  answer_due_at: Date | null;
  held_until: Date | null;
  signing_ends: Date | null;
  balance_schedule: Readonly<{ started_at: string; due_day: string | null; round: number }> | null;
}>;

export function nextActionDeadline(input: NextActionInput, can: Permissions, now: Date): Deadline | null {
  const { held_until: heldUntil, answer_due_at: answerDue, starts_at: startsAt } = input;
  if (can.pay === "deposit" && heldUntil) return { kind: "hold_ends", at: heldUntil };
  if (can.answer && answerDue) return { kind: "answer_due", at: answerDue };
  if (can.sign) return { kind: "signatures_due", at: input.signing_ends ?? startsAt };
  if (can.pay === "balance") return balanceDeadline(input, now);
  return can.confirm_request || can.pay === "deposit" || can.decide_balance
    ? { kind: "show_starts", at: startsAt }
    : null;
}

function balanceDeadline(input: NextActionInput, now: Date): Deadline {
  const { event_date: day, time_zone: zone, balance_schedule: schedule } = input;
  if (!schedule) {
    const due = balanceDueDay(day, zone, now);
    return { kind: "balance_due", at: due ? dayStart(zone, addDays(due, 1)) : now };
  }
  const { dueAt, overdueAt } = planBalance(input, { ...schedule, started_at: new Date(schedule.started_at) });
  return { kind: overdueAt <= now ? "balance_overdue" : "balance_due", at: dueAt };
}
