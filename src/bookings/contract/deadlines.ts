import { changeSigningWindow, overdueContracts } from "#contracts/copies-for-bookings.ts";
import { contractOf } from "#contracts/index.ts";
import { contractSides, unsentAlarmHours, sidesToSign } from "#contracts/rules.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { processEach } from "#platform/jobs/jobs.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { endBooking } from "../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { lockBooking } from "../store.ts";
import { notifyExtended, notifyContractReminder } from "./contract-emails.ts";
import { contractFault, endUnsigned } from "./contract-end.ts";
import { undecidedObjections, unsentBookings } from "./due.views.ts";
import { refreshContract } from "./provider/sync.ts";

const batch = 50;

/** Reminds the parties whose turn it is. After an extension the other party is notified too. */
async function remindParties(tx: Tx, services: Payments, bookingId: string, step: "extended" | "reminded") {
  const contract = await contractOf(tx, bookingId);
  if (!contract) return;
  const context = await emailContextOf(tx, services, bookingId);
  const key = `${step} ${services.clock.now().toISOString()}`;
  const isExtended = step === "extended";
  const unsigned = sidesToSign(contract);
  for (const side of contractSides)
    if (unsigned.includes(side)) await notifyContractReminder(tx, context, side, { key, isExtended });
    else if (isExtended) await notifyExtended(tx, context, side, key);
}

/** Runs the due step of an open contract. While its service is unreachable (`known` false) or an alarm is open, nothing is canceled before the event, because both may have signed. With an alarm no side is at fault. */
async function watchContract(tx: Tx, services: Payments, bookingId: string, known: boolean): Promise<void> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.status !== "contract_sent") return;
  const now = services.clock.now();
  const step = await changeSigningWindow(tx, booking.id, { startsAt: booking.starts_at, now });
  const alarmed = (await findContract(tx, booking.id))?.provider_alarm ?? null;
  if (step === "expired" && ((known && alarmed === null) || booking.starts_at <= now)) {
    const fault = alarmed === null ? await contractFault(tx, booking.id) : "nobody";
    await endBooking(tx, booking, { by: "system", code: "contract_expired", fault, now });
  }
  if (step === "extended" || step === "reminded") {
    await remindParties(tx, services, booking.id, step);
    await broadcastBookingChange(tx, booking.id);
  }
}

/** Cancels bookings whose event begins without a sent contract, and alerts admins about contracts that wait too long. */
async function watchUnsent(services: Payments, now: Date): Promise<void> {
  const { database, log } = services;
  const unsent = await unsentBookings(database.db, now, batch);
  await processEach(services, unsent, {
    work: ({ id, number, starts_at: startsAt, last_error: lastError }) =>
      database.transaction(async (tx) => {
        const booking = await lockBooking(tx, id);
        if (booking?.status !== "deposit_paid") return false;
        if (startsAt <= now) return endUnsigned(tx, booking, now);
        const why = lastError ? ` The last attempt failed: ${lastError}` : "";
        const message = `The contract of booking ${number} has not been sent ${unsentAlarmHours} hours after its deposit.${why}`;
        return alertAdmins(tx, services, { message, key: `contract unsent ${id}`, bookingId: id, about: "contract" });
      }),
    failed: (error, { id }) =>
      log.error({ err: error, bookingId: id }, "an unsent contract could not be checked; it is tried again"),
  });
}

/** Emails every admin once a day about an objection that is still open after its show. */
async function remindOfObjections(services: Payments, now: Date): Promise<void> {
  const { database, log } = services;
  await processEach(services, await undecidedObjections(database.db, now), {
    work: ({ id, number, ends_at: endedAt }) => {
      const days = Math.floor((now.getTime() - endedAt.getTime()) / dayMs);
      const message = `The show of booking ${number} is over, and an objection to its contract is not decided. Its money is neither paid out nor refunded until you decide.`;
      const key = `objection open ${id} ${days}`;
      return database.transaction((tx) =>
        alertAdmins(tx, services, { message, key, bookingId: id, about: "contract" }),
      );
    },
    failed: (error, { id }) =>
      log.error({ err: error, bookingId: id }, "an open objection could not be reported; it is tried again"),
  });
}

export async function watchContracts(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const now = clock.now();
  await watchUnsent(services, now);
  await remindOfObjections(services, now);
  await processEach(services, await overdueContracts(database.db, now, batch), {
    work: async (bookingId) => {
      // The webhook of a signature just before the deadline may not have arrived yet.
      const known = await refreshContract(services, bookingId);
      await database.transaction((tx) => watchContract(tx, services, bookingId, known));
    },
    failed: (error, bookingId) =>
      log.error({ err: error, bookingId }, "the deadline of a contract could not be checked; it is tried again"),
  });
}
