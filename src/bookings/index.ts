export { bookingKey } from "./links/access.ts";
export { type BookingForCaller, findBookingFor, lockBookingFor } from "./request/booking-for-caller.ts";
export { alertAdmins } from "./emails/admin-alerts.ts";
export { emailContextOf } from "./emails/email-context.ts";
export { notifyParties } from "./emails/notify-party.ts";
export { requireVerifiedMailbox } from "./policy.ts";
export { lockBooking } from "./store.ts";

export { insertSeedBookings } from "./seed-import.ts";
export { bookingsJobs } from "./jobs.ts";

export { bookingsPlugin } from "./checkout/pay.plugin.ts";
export { contractDocumentPlugin } from "./contract/document/document.plugin.ts";
export { signedDocumentPlugin } from "./contract/admin/signed-document.plugin.ts";
export { bookingsRoutes } from "./routes.ts";
export { travelRoutes } from "./travel/travel.routes.ts";

export { bookingMatches, bookingsWhere } from "./conditions/filters.views.ts";
export { openItemsOfArtist } from "./conditions/saved-filters.views.ts";
export { completionBlock } from "./conditions/completion.views.ts";
