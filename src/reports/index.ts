/** The public index of reports: overviews and figures that join several modules. */

export { overviewsRoutes, reportsRoutes } from "./routes.ts";
export { ownPaymentsRoutes } from "./own-payments.routes.ts";
export { earningsPlugin } from "./export/earnings.plugin.ts";
export { exportPlugin } from "./export/plugin.ts";
