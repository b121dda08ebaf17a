export { type Asking, availabilityOf, dateErrorOf, ownHoldResponse, spanOf } from "./availability.ts";
export { nearestFree } from "./nearest.ts";
export { insertSeedReservations } from "./seed-import.ts";
export {
  confirmReservation,
  type DateReservation,
  deadHoldsBefore,
  type HeldBy,
  insertReservation,
  lockHeldBy,
  lockReservation,
  markReleasedBy,
  prolongHold,
  removeDeadHolds,
  removeReservation,
  reservationsAround,
} from "./store.ts";
export { liveHold } from "./views.ts";
