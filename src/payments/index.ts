export { cancelUnsentCharge } from "./cards/charges.ts";
export { reserveCharge } from "./cards/charges.store.ts";
export { requestCardRemoval, savedCardOf } from "./stores/saved-cards.store.ts";
export { expireCheckout, openCheckout } from "./checkout/checkout.ts";
export { requireSettlementCurrency } from "./checkout/settlement-currency.ts";
export { reservePayment } from "./checkout/reservation.ts";

export { paymentsJobs } from "./jobs.ts";
export { releaseHeld } from "./refunds/release.ts";
export { openPayments } from "./provider.ts";
export { refreshCheckout } from "./checkout/success-page-poll.ts";
export { paymentsRoutes } from "./routes.ts";
export { lockPayments } from "./store.ts";
export { divideHeld } from "./refunds/division.ts";
export { planRemainingRefund } from "./refunds/refunds.ts";

export { attemptsToPay, livePayment, paymentBySession, paymentsOf } from "./views.ts";
