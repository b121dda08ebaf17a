import { sql } from "kysely";
import { lockQueues } from "#calendar/holds/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { type Job, processEach } from "#platform/jobs/jobs.ts";
import { sendBalanceReminders } from "./balance/balance-reminders.ts";
import { completeBooking } from "./completion/completion.ts";
import { requestShowConfirmations } from "./completion/show-confirmation.ts";
import { endUnpaidBalances, requestUnpaidBalances } from "./completion/unpaid-balances.ts";
import { completionBlock, findEndedShows } from "./conditions/completion.views.ts";
import { contractJobs } from "./contract/jobs.ts";
import {
  completionTimes,
  holdEndTimes,
  proposalExpiryTimes,
  balanceStepTimes,
  showEndTimes,
  unpaidBalanceTimes,
  unpaidShowTimes,
  overdueHolds,
} from "./due.views.ts";
import { expireProposals } from "./force-majeure/force-majeure.ts";
import { endCheckoutAndHold, endExpiredHolds } from "./lifecycle/checkout-holds.ts";
import { expireRequest } from "./lifecycle/expired-requests.ts";
import { processEachBooking } from "./process-each.ts";
import { completionHours } from "./rules/deadlines.rules.ts";

const batch = 100;

/** Cancels unpaid requests whose show begins, and unanswered ones past their deadline. An open checkout is ended first, and a payment that already arrived is applied. In random order, because failing ones must not block the others. */
export async function expireUnpaid(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const due = await database.db
    .selectFrom("bookings")
    .select("id")
    .where("status", "=", "initiated")
    .where((eb) => eb.or([eb("starts_at", "<=", clock.now()), eb("answer_due_at", "<=", clock.now())]))
    .orderBy(sql`random()`)
    .limit(batch)
    .execute();
  await processEach(services, due, {
    work: async ({ id }) =>
      (await endCheckoutAndHold(services, id, "clock")) !== "already_paid" &&
      database.transaction((tx) => expireRequest(tx, id, clock.now())),
    failed: (error, { id }) =>
      log.warn({ err: error, bookingId: id }, "an unpaid request could not be canceled; it is tried again"),
  });
}

/** Frees dates whose checkout should have ended. The provider is queried first, because money may have arrived. */
export async function sweepHolds(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const over = await overdueHolds(database.db, clock.now(), batch);
  await processEach(services, over, {
    work: ({ booking_id: id }) => endCheckoutAndHold(services, id, "clock"),
    // An unavailable provider blocks no date. A payment that it reports later reserves the date again, or is refunded.
    failed: (error, { booking_id: id, artist_id: artistId }) => {
      log.warn({ err: error, bookingId: id }, "the end of a checkout could not be confirmed");
      return database.transaction(async (tx) => {
        await lockQueues(tx, artistId);
        await endExpiredHolds(tx, artistId, clock.now());
      });
    },
  });
}

export async function completeShows(services: Payments): Promise<void> {
  const due = await findEndedShows(services, completionHours, sql<boolean>`${completionBlock} is null`);
  await processEachBooking(services, due, {
    work: (tx, booking) => completeBooking(tx, booking, "system", services.clock.now()),
    failure: "a booking could not be completed",
  });
}

export const bookingsJobs: readonly Job<Payments>[] = [
  ...contractJobs,
  {
    name: "send-balance-reminders",
    when: { everySeconds: 5, wokenBy: ["booking.status_changed", "payment.failed", "saved_card.changed"] },
    whenMoved: balanceStepTimes,
    run: sendBalanceReminders,
  },
  { name: "expire-unpaid-requests", when: { everySeconds: 60 }, whenMoved: unpaidShowTimes, run: expireUnpaid },
  { name: "sweep-holds", when: { everySeconds: 60 }, whenMoved: holdEndTimes, run: sweepHolds },
  { name: "expire-proposals", when: { everySeconds: 60 }, whenMoved: proposalExpiryTimes, run: expireProposals },
  {
    name: "request-show-confirmations",
    when: { everySeconds: 60 },
    whenMoved: showEndTimes,
    run: requestShowConfirmations,
  },
  { name: "complete-shows", when: { everySeconds: 60 }, whenMoved: completionTimes, run: completeShows },
  {
    name: "end-unpaid-balances",
    when: { everySeconds: 600 },
    whenMoved: unpaidBalanceTimes,
    run: async (services) => {
      await requestUnpaidBalances(services);
      await endUnpaidBalances(services);
    },
  },
];
