import { recordActivity } from "#activity/index.ts";
import { endSignerLinks } from "#contracts/agreements-for-bookings.ts";
import { contractOf } from "#contracts/index.ts";
import { recordCorrectedEmail, shownAddress } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { enqueueBookingLink } from "../emails/booking-link.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { mayCorrectEmail } from "../policy.ts";
import type { Relation } from "../rules/permissions.rules.ts";
import { attachRequests, type Booking, changeBooking } from "../store.ts";
import { notifyContractReminder } from "./contract-emails.ts";

/** Corrections of one request. A user corrects a mistyped address once. More would send our emails to strangers. */
const maxCorrections = 3;

/** Corrects the address of a locked request whose mailbox was never verified. Links to the former address end. The new address's account gets the request, a paid one only when it opens the emailed link. A signing service gets it with the next link. Throws a conflict (409) once the mailbox is verified or the promoter has signed. */
export async function correctEmail(
  tx: Tx,
  services: Payments,
  booking: Booking,
  { email, relation, userId }: { email: string; relation: Relation; userId: string | null },
): Promise<void> {
  const now = services.clock.now();
  const contract = await contractOf(tx, booking.id);
  if (!mayCorrectEmail(relation, booking, contract))
    throw conflict(
      "The address can no longer be changed, because an email to it was already used, or the booking has ended.",
    );
  if (email.toLowerCase() === booking.promoter_email.toLowerCase()) return;
  if (booking.email_corrections >= maxCorrections)
    throw conflict("The address was changed too often. Contact us to change it again.");
  const former = booking.promoter_email;
  await changeBooking(tx, booking, { promoter_email: email, email_corrections: booking.email_corrections + 1 }, now);
  if ((await attachRequests(tx, email)) > 0) await broadcastBookingChange(tx, booking.id);
  const message = `The email address of the request ${booking.number} was corrected`;
  await recordActivity(tx, {
    type: "booking",
    refId: booking.id,
    message,
    actorId: userId,
    meta: { by: relation.admin ? "admin" : "promoter", from: shownAddress(former), to: shownAddress(email) },
  });
  const context = await emailContextOf(tx, services, booking.id);
  await enqueueBookingLink(tx, context, { corrected: true });
  if (!contract || booking.status !== "contract_sent") return;
  await recordCorrectedEmail(tx, booking.id, { email, now });
  await endSignerLinks(tx, contract.id, "promoter", now);
  await notifyContractReminder(tx, context, "promoter", { key: `corrected ${now.toISOString()}` });
}
