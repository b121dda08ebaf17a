/** The public index of reports: overviews and figures that join several modules. */

export { overviewsRoutes, reportsRoutes } from "./routes.ts";
