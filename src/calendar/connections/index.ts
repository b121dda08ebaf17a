export { calendarConnectionJobs } from "./jobs.ts";
export { calendarConnectionsRoutes } from "./routes.ts";
export { reencryptConnections } from "./store.ts";
