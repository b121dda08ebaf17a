export { type ChangeNotification, broadcastChange, listenToChanges } from "./change-notifications.ts";
export { type RealtimeServices, realtimeRoutes } from "./routes.ts";
export { makeStreams, watch } from "./streams.ts";
