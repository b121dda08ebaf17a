import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { completionBlockOf, mayRequestConfirmation, findEndedShows } from "../conditions/completion.views.ts";
import { emailContextOf, moneyOrNull } from "../emails/email-context.ts";
import { notifyParty } from "../emails/notify-party.ts";
import { processEachBooking } from "../process-each.ts";
import { automaticCompletionAt, unpaidEndOf } from "../rules/deadlines.rules.ts";
import { mayReportNoShow, noShowReportEndsAt } from "../rules/no-show.rules.ts";
import type { Booking } from "../store.ts";
import { findSchedule } from "../stores/balance.store.ts";
import { findNoShow, noShowStateOf } from "../stores/no-show.store.ts";

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
