export { bookingKey } from "./access.ts";
export { type BookingForCaller, findBookingFor, lockBookingFor } from "./request/booking-for-caller.ts";
export { notifyParties } from "./emails/notify-parties.ts";
export { lockBooking } from "./store.ts";
export { recordMoneyReturned, notifyUnappliedPayment } from "./emails/admin-alarms.ts";
export { attachTo, takeCheckoutEnd, takePaymentFact, takeRefundFact } from "./lifecycle/transitions.ts";
export { insertSeedBookings } from "./seed-import.ts";
export { bookingsJobs, sweepHolds } from "./jobs.ts";
export { notifyHoldReleased, notifyRequested, notifyStatusChanged } from "./event-emails/booking-emails.ts";
export { endAutomaticPaymentByDispute, takeCardFact } from "./balance/consent.ts";
export { notifyDateLost, notifyPaid, notifyPaymentFailed, notifyRefunded } from "./event-emails/payment-emails.ts";
export { notifyForceMajeure } from "./force-majeure/force-majeure-emails.ts";
export { notifyDispute } from "./event-emails/dispute-emails.ts";
export { notifyNoShowDecided, notifyNoShowReported } from "./event-emails/no-show-emails.ts";
export {
  notifyPaidOut,
  notifyPayoutAccountChanged,
  notifyPayoutAccountEnded,
  notifyPayoutFailed,
  notifyPayoutReversed,
} from "./event-emails/payout-emails.ts";
export { bookingsPlugin } from "./checkout/pay.plugin.ts";
export { contractDocumentPlugin } from "./contract/document/document.plugin.ts";
export { signedPaperPlugin } from "./contract/admin/paper.plugin.ts";
export { bookingsRoutes } from "./routes.ts";
export { signalBooking, signalOwner } from "./signals.ts";
export { bookingsWhere } from "./lists/admin-list.views.ts";
export { completionBlock } from "./completion.views.ts";
export { bookingMatches } from "./lists/search.views.ts";
export { bookingsDataLists } from "./data-export.ts";
