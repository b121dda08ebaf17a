export { blockNightOf, changeNightEnd, checkoutsOfNight, moveNights } from "./blocked-nights.ts";
export { convertHold, markRequested, requireConvertible } from "./change-hold.ts";
export {
  activeHoldsOfNight,
  findHoldToBook,
  findHoldToConvert,
  findPromoterByEmail,
  type HeldNight,
} from "./queue.views.ts";
export { holdsOfBooking, reservedUntil } from "./booking-holds.views.ts";
export { holdsJobs } from "./jobs.ts";
export { findHoldNotice } from "./booking-holds.views.ts";
export { claimNight, endQueue, lockDate, resumeQueue } from "./queue.ts";
export { lockQueues } from "./queue.store.ts";
export { holdsRoutes } from "./routes.ts";
