export {
  amountIn,
  earningsOf,
  ledgerBalance,
  payableOf,
  platformSums,
  revenue,
  revenueParts,
} from "./balances.views.ts";
export { keptCents, refundingCents } from "./payment-figures.views.ts";
export { insertSeedPostings } from "./seed-import.ts";
export { accounts, type Entry, heldFor, move, post, type Posting, postConversion, type PostingKind } from "./store.ts";
export { isOfRelease, leftOfRelease, movementsOf, positionOf } from "./views.ts";
