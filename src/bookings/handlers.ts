export { endLinksToFormerMailbox } from "./contract/former-mailbox.ts";
export { alertOfDifferences, recordMoneyReturned, notifyUnappliedPayment } from "./emails/admin-alerts.ts";
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
export { broadcastBookingChange } from "./change-notifications.ts";
