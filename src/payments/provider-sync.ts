/** For disputes and reconciliation only, which apply provider state to payments. */
export { syncSavedCard } from "./cards/saved-cards.ts";
export { fulfilByDispute, reopenRefund, splitRefund, syncRefund } from "./refunds/refunds.ts";
export { endCheckout, lockLivePayment, lockPaidPayments, lockPayment, type Payment } from "./store.ts";
export { insertPayment, type NewPayment } from "./stores/checkout.store.ts";
export {
  coveredRefunds,
  lockChargesLeft,
  lockRefusedRefund,
  plannedFor,
  republishFailedRefunds,
  waitingRefunds,
} from "./stores/refunds.store.ts";
export * from "./stores/unreconciled.store.ts";
export { chargeOf } from "./stores/provider-charges.store.ts";
export { recordCheckout, recordPayment, syncContextOf } from "./sync/record.ts";
export { applyCapturedMoney, refundUnmatched, type SyncContext, syncPayment, type SyncResult } from "./sync/sync.ts";
