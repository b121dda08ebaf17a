import { endSignerLinks } from "#contracts/agreements-for-bookings.ts";
import type { Tx } from "#platform/db/index.ts";
import { openContractsOf } from "./contract/due.views.ts";

export { endLinksToFormerMailbox } from "./contract/former-mailbox.ts";
export { recordMoneyReturned, notifyUnappliedPayment } from "./emails/admin-alerts.ts";
export {
  attachRequestsTo,
  applyCheckoutEnded,
  applyPaymentSucceeded,
  applyRefundSucceeded,
} from "./lifecycle/transitions.ts";
export { endRequestsWithoutDate } from "./acceptance/acceptance.ts";
export { notifyHoldReleased, notifyRequested, notifyStatusChanged } from "./event-emails/booking-emails.ts";
export { notifyConnectionFailing, notifyImportConflicts } from "./event-emails/connection-emails.ts";
export { notifyHoldChanged } from "./event-emails/hold-emails.ts";
export { endAutomaticPaymentByDispute, applyCardSaved } from "./balance/consent.ts";
export {
  notifyDateLost,
  notifyPaid,
  notifyPaymentFailed,
  notifyRefundFailed,
  notifyRefunded,
} from "./event-emails/payment-emails.ts";
export { notifyForceMajeure } from "./force-majeure/force-majeure-emails.ts";
export { notifyDispute } from "./event-emails/dispute-emails.ts";
export { notifyNoShowDecided, notifyNoShowReported } from "./event-emails/no-show-emails.ts";
export {
  notifyPaidOut,
  notifyPayoutAccountChanged,
  notifyBankPayoutFailed,
  notifyPayoutAccountEnded,
  notifyPayoutAwaitsAccount,
  notifyPayoutFailed,
  notifyPayoutReversed,
} from "./event-emails/payout-emails.ts";
export { broadcastBookingChange, broadcastToOwner } from "./change-notifications.ts";

/** Ends the signing links in the former mailbox of an account. It signs after signing in, or with the link of the next reminder. */
export async function endLinksToFormerMailbox(tx: Tx, userId: string, now: Date): Promise<void> {
  for (const { id, side } of await openContractsOf(tx, userId)) await endSignerLinks(tx, id, side, now);
}
