/** The public index of realtime: event streams to browsers, and how other modules say that something has changed. */
export { liveApi } from "./api.ts";
export { type ChangeNotification, type Signals, listenToSignals, signal } from "./change-notifications.ts";
export { liveRoutes, type LiveServices } from "./routes.ts";
export { type StreamAuth, makeStreams } from "./streams.ts";
