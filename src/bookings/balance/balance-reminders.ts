import { sql } from "kysely";
import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { cardLabel } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { minCharge } from "../conditions/saved-filters.views.ts";
import { emailContextOf, eventSummary } from "../emails/email-context.ts";
import { processEachBooking } from "../process-each.ts";
import { unpaidEndOf } from "../rules/deadlines.rules.ts";
import { type BalanceStep, planBalance, stepNow } from "../rules/money/balance-plan.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import type { Booking } from "../store.ts";
import { beginRound, findSchedule, recordStep, scheduleNextStep } from "../stores/balance.store.ts";
import { automaticPaymentOf, plannedChargeAt, startCharge } from "./automatic-payment.ts";
import { notifyBalanceStep } from "./balance-emails.ts";
import { owesBalance } from "./balance.views.ts";

const batch = 100;

const messages: Readonly<Record<BalanceStep, string>> = {
  reminder: "Promoter reminded of the balance",
  due: "Balance requested",
  overdue: "Balance late",
  overdue_again: "Balance still late",
  last_call: "Balance requested for the last time",
  decision: "Balance not paid, the artist decides",
};

const retryBlockedStepMs = 5 * minuteMs;

async function runDueStep(tx: Tx, services: Payments, booking: Booking): Promise<void> {
  const now = services.clock.now();
  const { id: bookingId } = booking;
  const found = await findSchedule(tx, bookingId);
  if (!owesBalance(booking)) {
    if (found?.next_at) await scheduleNextStep(tx, bookingId, { last: found.last_step, next: null });
    return;
  }
  const schedule =
    found ??
    (await beginRound(tx, {
      bookingId,
      round: 0,
      started_at: now,
      due_day: balanceDueDay(booking.event_date, booking.time_zone, now),
    }));
  if (found && (found.next_at === null || found.next_at > now)) return;
  const postpone = async (step: BalanceStep) => {
    const next = { step, at: new Date(now.getTime() + retryBlockedStepMs) };
    await scheduleNextStep(tx, bookingId, { last: schedule.last_step, next });
  };
  if ((await completionBlockOf(tx, bookingId)) === "objection") return postpone(schedule.next_step ?? "reminder");
  const plan = planBalance(booking, schedule);
  const { step, next } = stepNow(plan, { last: schedule.last_step, startsAt: booking.starts_at, now });
  const automatic = step ? await automaticPaymentOf(tx, booking, schedule) : undefined;
  const context = await emailContextOf(tx, services, bookingId);
  if (step && step !== "reminder" && automatic) {
    if ((await startCharge(tx, context, automatic, now)) === "busy") return postpone(step);
    const message = `Balance charged to the saved card: ${eventSummary(context)}`;
    await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: { step, round: schedule.round } });
    await scheduleNextStep(tx, bookingId, { last: step, next });
    return broadcastBookingChange(tx, bookingId);
  }
  await scheduleNextStep(tx, bookingId, { last: step ?? schedule.last_step, next });
  if (!step) return broadcastBookingChange(tx, bookingId);
  await recordStep(tx, { booking_id: bookingId, round: schedule.round, step, due_day: schedule.due_day, at: now });
  const message = `${messages[step]}: ${eventSummary(context)}`;
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: { step, round: schedule.round } });
  await notifyBalanceStep(tx, context, {
    step,
    startedAt: schedule.started_at,
    dueDay: schedule.due_day,
    plan,
    next,
    begun: booking.starts_at <= now ? { endsAt: unpaidEndOf(booking, schedule.started_at) } : null,
    automatic: automatic && { label: cardLabel(automatic.card), at: plannedChargeAt(booking, schedule, now) ?? now },
  });
  await broadcastBookingChange(tx, bookingId);
}

const bookingsWithoutSchedule = (services: Payments) =>
  services.database.db
    .selectFrom("bookings as b")
    .select("b.id")
    .where("b.status", "=", "contract_signed")
    .where(sql<boolean>`b.balance_cents >= ${minCharge}`)
    .where("b.balance_paid_at", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom("balance_schedules as s").select("s.booking_id").whereRef("s.booking_id", "=", "b.id")),
      ),
    )
    .orderBy(sql`random()`)
    .limit(batch)
    .execute();

const dueSteps = (services: Payments) =>
  services.database.db
    .selectFrom("balance_schedules")
    .select("booking_id as id")
    .where("next_at", "<=", services.clock.now())
    .orderBy(sql`random()`)
    .limit(batch)
    .execute();

/** Begins the schedules of newly signed bookings and runs every due step, in random order, because failing ones must not block the others. Does nothing without a card provider. */
export async function sendBalanceReminders(services: Payments): Promise<void> {
  if (!services.gateway) return;
  const found = [...(await bookingsWithoutSchedule(services)), ...(await dueSteps(services))];
  await processEachBooking(services, found, {
    work: (tx, booking) => runDueStep(tx, services, booking),
    failure: "a balance reminder could not be sent",
  });
}
