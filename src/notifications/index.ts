export { closeDelivery, deliverMessages } from "./delivery/deliver.ts";
export { notificationsJobs } from "./delivery/jobs.ts";
export { notificationsPlugin } from "./dev-mailbox/plugin.ts";
export { notificationsRoutes } from "./contact/routes.ts";

export { artistWants, promoterWants } from "./catalog/preferences.ts";
export type { AttachmentRef } from "./store.ts";
export { enqueueMessage, type NewMessage } from "./enqueue.ts";
export { type TemplateFor, type TemplateName, type TemplateParams, templateTitle } from "./catalog/write.ts";
export type { CanceledBy, Gig } from "./templates/bookings.ts";

export { linkDestinations } from "./catalog/link-destinations.ts";
