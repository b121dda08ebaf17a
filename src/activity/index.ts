export { type Entry, recordActivity } from "./store.ts";
export { type ActivityType, textWithoutSecrets } from "./rules.ts";
export { findWaiting } from "./attention.views.ts";
export { activityRoutes } from "./routes.ts";
export { insertSeedActivity } from "./seed-import.ts";
export { findActivityViolations, findChainHead, hasLink, parseChainHead } from "./chain.ts";
export { activityJobs } from "./jobs.ts";
export { findNewestEntry, logMatches, shownMessage } from "./views.ts";
