export { fileOfDocument } from "./document-files.ts";
export { documentsPlugin } from "./documents.plugin.ts";
export { invoicingJobs } from "./jobs.ts";
export { invoicingRoutes } from "./routes.ts";
export { documentsOf } from "./views.ts";
