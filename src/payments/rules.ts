export * from "./rules/events.rules.ts";
export * from "./rules/currencies.rules.ts";
export * from "./rules/prices.rules.ts";
export * from "./rules/statuses.rules.ts";
export * from "./rules/cards.rules.ts";
export type * from "./rules/payer.rules.ts";
export { type LedgerPosition, type PaymentKind, paymentKinds } from "#ledger/rules.ts";
