/** The public index of the notifications module. */
export { closeDelivery, deliverMessages, type ReadAttachment } from "./delivery/deliver.ts";
export { notificationsJobs } from "./delivery/jobs.ts";
export { notificationsPlugin } from "./dev-mailbox/plugin.ts";
export { notificationsRoutes } from "./contact/routes.ts";
export { type Channel } from "./rules.ts";
export { artistWants, promoterWants, wantsCodesBySms } from "./preferences.ts";
export type { AttachmentRef } from "./store.ts";
export { enqueueMessage, type NewMessage } from "./enqueue.ts";
export { type TemplateName, type TemplateParams, templateTitle } from "./templates/index.ts";
export type { CanceledBy, Gig, Side } from "./templates/bookings.ts";
export type { Money } from "./format.ts";
export { linkDestinations } from "./templates/link-destinations.ts";
export { notificationsDataLists } from "./data-export.ts";
