/** The public index of reports: overviews and figures that join several modules. */
export { overviewsApi } from "./api.ts";
export { overviewsRoutes } from "./routes.ts";
