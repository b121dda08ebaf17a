/** Seals signed contracts and mails the copies. Drawing runs outside transactions, storing and mailing in one. */

import { drawSealedCopy, storeSealedCopy, unsealedContracts } from "#contracts/copies-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { processEach } from "#platform/jobs/jobs.ts";
import { broadcastBookingChange } from "../../change-notifications.ts";
import { emailContextOf } from "../../emails/email-context.ts";
import { findBooking, lockBooking } from "../../store.ts";
import { notifyContractSigned } from "../contract-emails.ts";

const batch = 20;

/** Seals the contract of one booking and mails the copy to both parties. Does nothing if it is already sealed. */
export async function sealContract(services: Payments, bookingId: string): Promise<void> {
  const { database, clock } = services;
  const booking = await findBooking(database.db, bookingId);
  if (!booking) return;
  const drawn = await drawSealedCopy(services, { bookingId, number: booking.number });
  if (!drawn) return;
  await database.transaction(async (tx) => {
    await lockBooking(tx, bookingId);
    if (!(await storeSealedCopy(tx, { drawn, now: clock.now() }))) return;
    // No email is sent for a past contract whose copy was drawn again on opening.
    if (!drawn.recorded) await notifyContractSigned(tx, await emailContextOf(tx, services, bookingId));
    await broadcastBookingChange(tx, bookingId);
  });
}

/** Seals every signed contract without a sealed copy. A failed one waits for the next run, because drawing it again immediately would occupy the processor. */
export async function sealContracts(services: Payments): Promise<void> {
  const { database, log } = services;
  const waiting = await unsealedContracts(database.db, batch);
  await processEach(services, waiting, {
    work: (bookingId) => sealContract(services, bookingId),
    failed: (error, bookingId) =>
      log.error({ err: error, bookingId }, "a signed contract could not be sealed; it is tried again"),
  });
}
