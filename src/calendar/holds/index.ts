export { markRequested } from "./commands.ts";
export { findHoldToBook, activeHoldsOfNight } from "./holds.views.ts";
export { holdsJobs } from "./jobs.ts";
export { findHoldNotice } from "./notice.views.ts";
export { claimNight, endQueue, returnNight } from "./queue.ts";
export { lockQueues } from "./queue.store.ts";
export { holdsRoutes } from "./routes.ts";
