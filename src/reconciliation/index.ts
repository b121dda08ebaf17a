export { findItem, openItems } from "#payments/provider-sync.ts";
export { reconciliationJobs } from "./jobs.ts";
export { providerPlugin } from "./plugin.ts";
export { reconcile, reconcileRecent } from "./reconcile.ts";
export {
  applyFoundMoney,
  fetchFoundMoney,
  reasonNotToAssign,
  recordExplanation,
  returnFoundMoney,
} from "./resolve-item.ts";
export { processEvents } from "./webhooks/provider-events.ts";
export { webhooksRoutes } from "./webhooks/webhooks.routes.ts";
