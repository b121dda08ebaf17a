import { dayStart } from "#calendar/time.rules.ts";
import { hasRow, type Reader } from "#platform/db/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import type { BookingPage } from "../booking.api.ts";
import { extensionDays, planBalance } from "../rules/money/balance-plan.rules.ts";
import { payDayOf } from "../rules/money/due-day.rules.ts";
import { isBalanceSettled, type ReadingTime } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import { type BalanceSchedule, findSchedule } from "../stores/balance.store.ts";

export const owesBalance = (booking: Booking): boolean =>
  booking.status === "contract_signed" && !isBalanceSettled(booking);

/** Returns true if the artist may extend the due date or release the date: the schedule is at its decision step, the show has not begun, and payments are set up. */
export const mayArtistDecide = (
  booking: Booking,
  schedule: BalanceSchedule | undefined,
  { now, payments }: ReadingTime,
): boolean => payments && owesBalance(booking) && schedule?.last_step === "decision" && booking.starts_at > now;

const isChargeDeclined = (reader: Reader, bookingId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from payments where booking_id = ${bookingId}::uuid and way = 'saved_card' and status = 'failed' limit 1`;

type OpenBalance = Readonly<{
  day: string | null;
  dueAt: Date;
  overdueAt: Date | null;
  decisionAt: Date | null;
  requestedAt: Date | null;
  page: BookingPage["balance"];
}>;

/** Returns the balance of a booking page without its deadlines, which wait while an objection stops its payment. */
export const withoutDeadlines = (balance: OpenBalance): OpenBalance => ({
  ...balance,
  day: null,
  overdueAt: null,
  decisionAt: null,
  page: balance.page && { ...balance.page, overdue: false, artist_decides: false, extend: null },
});

/** Returns the open balance of a booking page with its deadlines. Without a schedule only `day` and `dueAt` are set. */
export async function balanceOf(
  reader: Reader,
  booking: Booking,
  { now, payments }: ReadingTime,
): Promise<OpenBalance> {
  const schedule = payments && owesBalance(booking) ? await findSchedule(reader, booking.id) : undefined;
  if (!schedule) {
    const day = payDayOf(booking, undefined, now);
    const dueAt = day === null ? now : dayStart(booking.time_zone, addDays(day, 1));
    return { day, dueAt, overdueAt: null, decisionAt: null, requestedAt: null, page: null };
  }
  const { dueAt, overdueAt, steps } = planBalance(booking, schedule);
  const decides = mayArtistDecide(booking, schedule, { now, payments });
  const planned = schedule.next_step === "decision" ? schedule.next_at : null;
  const page: NonNullable<BookingPage["balance"]> = {
    due_day: schedule.due_day,
    due_at: dueAt,
    overdue: overdueAt <= now,
    extended: schedule.round > 0 && schedule.due_day !== null,
    charge_declined: await isChargeDeclined(reader, booking.id),
    artist_decides: decides,
    extend: decides ? extensionDays(booking.event_date, booking.time_zone, now) : null,
  };
  return {
    day: payDayOf(booking, schedule, now),
    dueAt,
    overdueAt,
    requestedAt: schedule.started_at,
    decisionAt: decides ? null : (planned ?? steps.find(({ step }) => step === "decision")?.at ?? null),
    page,
  };
}
