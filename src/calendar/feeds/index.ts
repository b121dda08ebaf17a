export { calendarFeedsPlugin } from "./plugin.ts";
export { calendarFeedsRoutes } from "./routes.ts";
export { reencryptFeeds } from "./store.ts";
