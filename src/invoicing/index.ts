export { fileOfDocument } from "./pdf/document-files.ts";
export { documentsPlugin } from "./pdf/documents.plugin.ts";
export { invoicingJobs } from "./jobs.ts";
export { invoicingRoutes } from "./routes.ts";
export { documentsOf } from "./views.ts";
