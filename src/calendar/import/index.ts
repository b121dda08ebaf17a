export { externalCalendarJobs } from "./jobs.ts";
export { externalCalendarsRoutes } from "./routes.ts";
export { reencryptExternalCalendars, rereadCalendars } from "./store.ts";
export { refreshBeforeCommitment, testExternalCalendars } from "./sync.ts";
export { busyElsewhere, listImportConflicts } from "./views.ts";
