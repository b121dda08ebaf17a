import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { workThrough } from "#platform/jobs.ts";
import { completionBlockOf, mayRequestConfirmation, overSince } from "../completion.views.ts";
import { bookingDetailsForPromoter, emailContextOf, promoterPage } from "../emails/email-context.ts";
import { notifyIfReachable } from "../emails/notify-party.ts";
import { automaticCompletionAt } from "../rules/deadlines.rules.ts";
import { mayReportNoShow, noShowReportEndsAt } from "../rules/no-show.rules.ts";
import { lockBooking } from "../store.ts";
import { findNoShow, noShowStateOf } from "../stores/no-show.store.ts";

/** Sends the promoter of each ended show, once, the email to confirm it or report a no-show. Not after the time to report. */
export async function requestShowConfirmations(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  await workThrough(services, await overSince(services, 0, mayRequestConfirmation(clock.now())), {
    work: ({ id }) => database.transaction((tx) => requestShowConfirmation(tx, services, id)),
    failed: (error, { id }) =>
      log.error({ err: error, bookingId: id }, "the confirmation of a show could not be requested; it is tried again"),
  });
}

async function requestShowConfirmation(tx: Tx, services: Payments, id: string): Promise<boolean> {
  const now = services.clock.now();
  const booking = await lockBooking(tx, id);
  if (!booking || !mayReportNoShow(booking, noShowStateOf(await findNoShow(tx, id)), now)) return false;
  const isBlocked = (await completionBlockOf(tx, id)) !== null;
  const context = await emailContextOf(tx, services, id);
  return notifyIfReachable(tx, context, "promoter", {
    template: "show_confirmation",
    key: "show ended",
    params: () => ({
      ...bookingDetailsForPromoter(context, promoterPage(context)),
      reportBy: noShowReportEndsAt(booking.ends_at),
      confirmsAt: isBlocked ? null : automaticCompletionAt(booking.ends_at),
      timeZone: booking.time_zone,
    }),
  });
}
