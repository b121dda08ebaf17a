/** The door of the notifications room. */
export { notificationsApi } from "./api.ts";
export { closeDelivery, deliverMessages } from "./deliver.ts";
export { notificationsJobs } from "./jobs.ts";
export { notificationsPlugin } from "./plugin.ts";
export { notificationsRoutes } from "./routes.ts";
export { type Channel, smsNumber } from "./rules.ts";
export { tell, type Told } from "./tell.ts";
export type { TemplateName, TemplateParams } from "./templates/index.ts";
export type { Gig, Side } from "./templates/bookings.ts";
export type { Money } from "./words.ts";
