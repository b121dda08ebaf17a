export { type DateRequester, availabilityOf, dateErrorOf, nearestFree, ownHoldResponse } from "./availability.ts";
export { calendarRoutes } from "./routes.ts";
export { joinNight } from "./night.views.ts";
export { insertSeedReservations } from "./seed-import.ts";
export {
  confirmReservation,
  type DateReservation,
  insertReservation,
  lockHeldBy,
  lockReservation,
  markReleasedBy,
  prolongHold,
  removeExpiredHolds,
  removeReservation,
} from "./store.ts";
export { liveHold, overlapsReservation, requestsWithoutDate } from "./views.ts";
