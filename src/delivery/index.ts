export { DeliveryRefused } from "./adapters/adapter.ts";
export { closeDelivery, deliverMessages } from "./deliver.ts";
export { devMailboxPlugin } from "./dev-mailbox/plugin.ts";
export { deliveryJobs } from "./jobs.ts";
export { type AttachmentRef, type CalendarAttachment, insertMessage, retryWaiting } from "./store.ts";
export { lastFailureAt } from "./rules.ts";
export { sendTestEmail, testDelivery } from "./test-delivery.ts";
