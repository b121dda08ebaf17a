/** The door of the payments room. */
export { type CheckoutAddresses, expireCheckout, openCheckout } from "./checkout.ts";
export type { PaymentGateway, Payments, PaymentServices, Sandbox } from "./gateway.ts";
export { type Reservation, reserveIntent } from "./intent.ts";
export { paymentsJobs, retryEvents, submitRefunds, watchCheckouts } from "./jobs.ts";
export { releaseHeld } from "./ledger.ts";
export { paymentsPlugin } from "./plugin.ts";
export { openPayments } from "./provider.ts";
export { reconcile } from "./reconcile.ts";
export { refreshCheckout } from "./refresh.ts";
export { planRefund, planRest, type Refund } from "./refunds.ts";
export type { Payment } from "./store.ts";
export {
  earningsOf,
  heldOf,
  payableOf,
  type PaymentView,
  paymentBySession,
  paymentsOf,
  revenue,
  type Sum,
} from "./views.ts";
export type {
  CheckoutEnded,
  MoneyPutAside,
  PaymentFailed,
  PaymentKind,
  PaymentStatus,
  PaymentSucceeded,
  RefundSucceeded,
} from "./rules.ts";
export { insertPaymentHistory, type PastPayment, type PastRelease } from "./history.ts";
