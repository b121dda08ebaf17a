/** The rules of payments that other modules and the browser use, pure. */
export * from "./events.rules.ts";
export * from "./prices.rules.ts";
export * from "./statuses.rules.ts";
export { cardLabel, type DeclineCode, declineCodeOf, type PaymentWay, paymentWays } from "./cards/cards.rules.ts";
export { disputeStateOf, evidenceStates, isRealDispute, statusesTakingEvidence } from "./disputes/disputes.rules.ts";
export { objectionHours, payoutStatuses, payoutWaits } from "./payouts/payouts.rules.ts";
export type { PayoutStatus, PayoutWait } from "./payouts/payouts.rules.ts";
export { type LedgerPosition, type PaymentKind, paymentKinds } from "#ledger/rules.ts";
