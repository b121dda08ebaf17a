/** The rules of payments that other modules and the browser use, pure. */
export * from "./rules/events.rules.ts";
export * from "./rules/prices.rules.ts";
export * from "./rules/statuses.rules.ts";
export { cardLabel, type DeclineCode, declineCodeOf, type PaymentWay, paymentWays } from "./rules/cards.rules.ts";
export { disputeStateOf, evidenceStates, isRealDispute, statusesTakingEvidence } from "./rules/disputes.rules.ts";
export { objectionHours, payoutStatuses, payoutWaits } from "./rules/payouts.rules.ts";
export type { PayoutStatus, PayoutWait } from "./rules/payouts.rules.ts";
export { type LedgerPosition, type PaymentKind, paymentKinds } from "#ledger/rules.ts";
