export { callOffCharge, chargeSavedCards } from "./cards/charges.ts";
export { claimCharge, reserveCharge } from "./cards/charges.store.ts";
export { removeSavedCards } from "./cards/saved-cards.ts";
export { requestCardRemoval, type SavedCard, savedCardOf } from "./stores/saved-cards.store.ts";
export { expireCheckout, openCheckout } from "./checkout/checkout.ts";
export { requireSettlementCurrency } from "./checkout/settlement-currency.ts";

export { acceptDispute } from "./disputes/acceptance.ts";
export { returnShares } from "./disputes/return-shares.ts";
export { requestEvidence, sendEvidence } from "./disputes/evidence.ts";
export type { NewFile as EvidenceFile } from "./stores/evidence.store.ts";

export { bookingOfDispute, disputesOf, type DisputeView } from "./disputes/disputes.views.ts";
export type { PaymentGateway, Payments, PaymentServices } from "#gateway/gateway.ts";

export { findPayer, type Payer, writePayer } from "./checkout/payers.store.ts";
export { reservePayment } from "./checkout/reservation.ts";

export { makePayouts, paymentsJobs, submitRefunds, watchCheckouts } from "./jobs.ts";
export { processEvents } from "./webhooks/provider-events.ts";
export { releaseHeld } from "./refunds/release.ts";
export { paymentsPlugin } from "./plugin.ts";
export { openPayments } from "./provider.ts";
export { reconcile, reconcileRecent } from "./reconciliation/reconcile.ts";
export { applyFoundMoney, recordExplanation, fetchFoundMoney, returnFoundMoney } from "./reconciliation/settle-item.ts";
export { findItem, openItems } from "./stores/unreconciled.store.ts";
export { refreshCheckout } from "./checkout/refresh.ts";
export { refusedRefundsRoutes } from "./refunds/refused.routes.ts";
export { divideHeld } from "./refunds/division.ts";
export { planRefund, planRest } from "./refunds/refunds.ts";

export {
  attemptsSince,
  earningsOf,
  livePayment,
  heldOf,
  payableOf,
  paymentBySession,
  paymentsOf,
  revenue,
  revenueParts,
} from "./views.ts";

export { insertSeedPayments, type PastPayment, type PastRelease } from "./seed-import.ts";
export { webhooksRoutes } from "./webhooks/webhooks.routes.ts";
