import { sql } from "kysely";
import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { releaseHeld } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { notifyBalanceEnds } from "../balance/balance-emails.ts";
import { findSchedule } from "../balance/balance.store.ts";
import { endBooking, isBalanceArriving } from "../cancellation/cancellation.ts";
import {
  completionBlockOf,
  mayRequestConfirmation,
  findEndedShows,
  completionBlock,
  wasMessageSent,
} from "../completion.views.ts";
import { alertOfUnpayableBalance } from "../emails/admin-alerts.ts";
import { emailContextOf, moneyOrNull, notifyParty } from "../emails/notify-party.ts";
import { applyBookingChange } from "../lifecycle/transitions.ts";
import { processEachBooking } from "../process-each.ts";
import { completionBlockText } from "../rules/completion.rules.ts";
import {
  completionHours,
  automaticCompletionAt,
  unpaidEndOf,
  lastRequestDays,
  unpaidBalanceDays,
} from "../rules/deadlines.rules.ts";
import { type LifecycleActor, mayTakeStep } from "../rules/flow.rules.ts";
import { payableFrom, mayReportNoShow, noShowReportEndsAt } from "../rules/no-show.rules.ts";
import { type Booking, changeBooking } from "../store.ts";
import { findNoShow, noShowStateOf } from "../stores/no-show.store.ts";

/** Completes a locked booking whose show is over and releases its money. Returns false if it is too early, blocked, or not allowed to the actor. */
export async function completeBooking(tx: Tx, booking: Booking, by: LifecycleActor, now: Date): Promise<boolean> {
  const waits = by === "system" ? completionHours * hourMs : 0;
  if (!mayTakeStep("complete", booking.status, by)) return false;
  if (booking.ends_at.getTime() + waits > now.getTime()) return false;
  if ((await completionBlockOf(tx, booking.id)) !== null) return false;
  await applyBookingChange(tx, booking, { completed_at: now }, { by, cause: "complete", now });
  await releaseHeld(tx, {
    bookingId: booking.id,
    artistId: booking.artist_id,
    currency: booking.currency,
    commissionBps: booking.commission_bps,
    at: now,
    dueAt: payableFrom(booking, now),
  });
  return true;
}

/** Completes a locked booking for its promoter. Throws a conflict (409) with the reason if it cannot be completed yet. */
export async function confirmShow(tx: Tx, booking: Booking, now: Date): Promise<void> {
  if (await completeBooking(tx, booking, "promoter", now)) return;
  const over = booking.status === "contract_signed" && booking.ends_at <= now;
  const block = over ? await completionBlockOf(tx, booking.id) : null;
  throw conflict(
    block ? completionBlockText[block] : "A show can be confirmed once it is over and its contract is signed.",
  );
}

/** Sends the promoter of each ended show, once, the email to confirm it or report a no-show. Not after the time to report. */
export async function requestShowConfirmations(services: Payments): Promise<void> {
  await processEachBooking(services, await findEndedShows(services, 0, mayRequestConfirmation(services.clock.now())), {
    work: (tx, booking) => requestShowConfirmation(tx, services, booking),
    failure: "the confirmation of a show could not be requested",
  });
}

async function requestShowConfirmation(tx: Tx, services: Payments, booking: Booking): Promise<boolean> {
  const { id } = booking;
  if (!mayReportNoShow(booking, noShowStateOf(await findNoShow(tx, id)), services.clock.now())) return false;
  const block = await completionBlockOf(tx, id);
  const context = await emailContextOf(tx, services, id);
  const balance = block === "balance" && services.gateway ? moneyOrNull(context, booking.balance_cents) : null;
  const until = balance && unpaidEndOf(booking, (await findSchedule(tx, id))?.started_at ?? null);
  return notifyParty(tx, context, "promoter", {
    template: "show_confirmation",
    key: "show ended",
    params: {
      reportBy: noShowReportEndsAt(booking.ends_at),
      confirmsAt: block ? null : automaticCompletionAt(booking.ends_at),
      unpaid: balance && { balance, until },
      timeZone: booking.time_zone,
    },
  });
}

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
