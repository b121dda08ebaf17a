export { readBackups } from "./backup.views.ts";
export { overviewsRoutes, reportsRoutes } from "./routes.ts";
export { ownPaymentsRoutes } from "./own-payments.routes.ts";
export { earningsPlugin } from "./export/earnings.plugin.ts";
export { exportPlugin } from "./export/plugin.ts";
