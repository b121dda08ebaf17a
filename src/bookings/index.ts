/** The door of the bookings room: the request, the date, and what follows until the night is done. */
export { bookingKey } from "./access.ts";
export { recordMoneyReturned, notifyUnappliedPayment } from "./alarms.ts";
export { bookingsApi } from "./api.ts";
export { attachTo, cancel, lapse, takeCheckoutEnd, takePaymentFact, takeRefundFact } from "./facts.ts";
export { insertBookingHistory } from "./history.ts";
export { bookingsJobs, lapseUnpaid, sweepHolds } from "./jobs.ts";
export {
  tellDateLost,
  tellHoldReleased,
  tellPaid,
  tellPaymentFailed,
  tellRefunded,
  tellRequested,
  tellStatusChanged,
} from "./letters.ts";
export { makeBooking } from "./make.ts";
export { bookingsPlugin } from "./pay-page.ts";
export { requestBooking } from "./requests.ts";
export { bookingsRoutes } from "./routes.ts";
export { signalBooking, signalOwner } from "./signals.ts";
