/** The door of the bookings room: the request, the date, and what follows until the night is done. */
export { bookingKey } from "./request/access.ts";
export { recordMoneyReturned, tellPutAside } from "./emails/admin-alarms.ts";
export { bookingsApi } from "./api.ts";
export { attachTo, cancel, lapse, takeCheckoutEnd, takePaymentFact, takeRefundFact } from "./lifecycle/transitions.ts";
export { insertBookingHistory } from "./history.ts";
export { bookingsJobs, lapseUnpaid, sweepHolds } from "./lifecycle/jobs.ts";
export {
  tellDateLost,
  tellHoldReleased,
  tellPaid,
  tellPaymentFailed,
  tellRefunded,
  tellRequested,
  tellStatusChanged,
} from "./emails/booking-emails.ts";
export { makeBooking } from "./make.ts";
export { bookingsPlugin } from "./checkout/pay-page.ts";
export { requestBooking } from "./request/requests.ts";
export { bookingsRoutes } from "./routes.ts";
export { signalBooking, signalOwner } from "./signals.ts";
