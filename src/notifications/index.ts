export { artistWants, promoterWants } from "./catalog/preferences.ts";
export {
  isAccountNotice,
  isErased,
  isSecret,
  type TemplateFor,
  type TemplateName,
  type TemplateParams,
  templateTitle,
} from "./catalog/render-email.ts";
export { notificationsRoutes } from "./contact/routes.ts";
export { enqueueMessage, type NewMessage } from "./enqueue.ts";
export type { CanceledBy, BookingDetails } from "./templates/bookings.ts";
