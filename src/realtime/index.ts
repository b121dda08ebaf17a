/** The public index of realtime: event streams to browsers, and how other modules say that something has changed. */
export { realtimeApi } from "./api.ts";
export {
  type ChangeNotification,
  type ChangeListener,
  listenToChanges,
  broadcastChange,
} from "./change-notifications.ts";
export { realtimeRoutes, type RealtimeServices } from "./routes.ts";
export { type StreamAuth, makeStreams } from "./streams.ts";
