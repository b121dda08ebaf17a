import { sql } from "kysely";
import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { lockPayments } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { notifyBalanceEnds } from "../balance/balance-emails.ts";
import { endBooking, isBalanceArriving } from "../cancellation/cancellation.ts";
import { completionBlock, completionBlockOf, findEndedShows, wasMessageSent } from "../conditions/completion.views.ts";
import { alertOfUnpayableBalance } from "../emails/admin-alerts.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { processEachBooking } from "../process-each.ts";
import { lastRequestDays, unpaidBalanceDays, unpaidEndOf } from "../rules/deadlines.rules.ts";
import { type Booking, changeBooking } from "../store.ts";
import { findSchedule } from "../stores/balance.store.ts";

const hours = unpaidBalanceDays * 24;
const lastRequestHours = (unpaidBalanceDays - lastRequestDays) * 24;

const isOpen = sql`b.balance_unpayable_at is null and ${completionBlock} = 'balance'`;
const wasRequested = (services: Payments, hoursAgo: number) => sql`exists (
  select 1 from balance_schedules s where s.booking_id = b.id
  and s.started_at + ${hoursAgo} * interval '1 hour' <= ${services.clock.now()}::timestamptz)`;

/** Requests the balance of played shows for the last time, 7 days before their bookings end, and notifies the artists. Once per booking. */
export async function requestUnpaidBalances(services: Payments): Promise<void> {
  if (!services.gateway) return;
  const isDue = sql<boolean>`(
    ${isOpen} and ${wasRequested(services, lastRequestHours)} and not ${wasMessageSent("balance_ends")})`;
  await processEachBooking(services, await findEndedShows(services, lastRequestHours, isDue), {
    work: async (tx, booking) => {
      if (booking.status !== "contract_signed" || (await completionBlockOf(tx, booking.id)) !== "balance") return false;
      const until = unpaidEndOf(booking, (await findSchedule(tx, booking.id))?.started_at ?? null);
      if (until === null || until <= services.clock.now() || (await isBalanceArriving(tx, booking))) return false;
      return notifyBalanceEnds(tx, await emailContextOf(tx, services, booking.id), until);
    },
    failure: "the last request for a balance could not be sent",
  });
}

/** Ends bookings with a balance unpaid 30 days after the event and its first request. Without a card provider they remain and admins are notified (decision 210). */
export async function endUnpaidBalances(services: Payments): Promise<void> {
  const now = services.clock.now();
  const due = await findEndedShows(
    services,
    hours,
    services.gateway ? sql<boolean>`(${isOpen} and ${wasRequested(services, hours)})` : sql<boolean>`(${isOpen})`,
  );
  await processEachBooking(services, due, {
    work: async (tx, booking) => {
      if (booking.status !== "contract_signed" || (await completionBlockOf(tx, booking.id)) !== "balance") return false;
      await lockPayments(tx, booking.id);
      if (await isBalanceArriving(tx, booking)) return false;
      if (!services.gateway) return leaveToAdmins(tx, services, booking);
      return endBooking(tx, booking, { by: "system", code: "balance_unpaid", fault: "promoter", now });
    },
    failure: "a booking without its balance could not be ended",
  });
}

/** Marks the balance as unpayable. From then on only an admin or a payment changes the booking, not the job. */
async function leaveToAdmins(tx: Tx, services: Payments, booking: Booking): Promise<void> {
  const now = services.clock.now();
  if (booking.balance_unpayable_at !== null) return;
  await changeBooking(tx, booking, { balance_unpayable_at: now }, now);
  const message = `The balance of the booking ${booking.number} cannot be paid on this site. It requires a decision`;
  await recordActivity(tx, { type: "payment", refId: booking.id, message });
  await alertOfUnpayableBalance(tx, services, booking);
}
