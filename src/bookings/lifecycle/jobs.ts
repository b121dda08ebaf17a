/** The scheduled jobs of bookings. */
import type { Payments } from "#payments/index.ts";
import type { Job } from "#platform/jobs.ts";
import { expireRequest } from "./transitions.ts";
import { endHold } from "../availability/holds.ts";
import { deadHoldsBefore } from "../availability/reservations.store.ts";

const batch = 100;

/** Cancels unpaid requests whose show begins. An open checkout is ended first; a payment that was faster wins. */
export async function expireUnpaid(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const due = await database.db
    .selectFrom("bookings")
    .select("id")
    .where("status", "=", "initiated")
    .where("starts_at", "<=", clock.now())
    .orderBy("starts_at")
    .limit(batch)
    .execute();
  for (const { id } of due) {
    try {
      if ((await endHold(services, id, "clock")) === "already_paid") continue;
      await database.transaction((tx) => expireRequest(tx, id, clock.now()));
    } catch (error) {
      log.warn({ err: error, bookingId: id }, "an unpaid request could not be ended; it is tried again");
    }
  }
  if (due.length > 0) services.wake();
}

/**
 * Frees dates whose checkout should have ended, by the clock or because the booking was canceled: the provider is asked, as
 * money may have come in the last second.
 */
export async function sweepHolds(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const over = await database.db
    .selectFrom("date_reservations")
    .select("booking_id")
    .where("kind", "=", "hold")
    .where((eb) =>
      eb.or([
        eb("expires_at", "<=", deadHoldsBefore(clock.now())),
        eb("booking_id", "in", eb.selectFrom("bookings").select("id").where("status", "=", "canceled")),
      ]),
    )
    .orderBy("expires_at")
    .limit(batch)
    .execute();
  for (const { booking_id: id } of over) {
    try {
      await endHold(services, id, "clock");
    } catch (error) {
      // A provider that does not answer blocks nobody: the next person who wants the date can take it.
      log.warn({ err: error, bookingId: id }, "the end of a checkout could not be confirmed; it is asked again");
    }
  }
}

export const bookingsJobs: readonly Job<Payments>[] = [
  {
    name: "expire-unpaid-requests",
    purpose: "Ends unpaid requests when their show begins.",
    when: { cron: "* * * * *" },
    run: expireUnpaid,
  },
  {
    name: "sweep-holds",
    purpose: "Frees dates whose checkout has ended.",
    when: { cron: "* * * * *" },
    run: sweepHolds,
  },
];
