export { amountIn, earningsOf, ledgerBalance, payableOf, revenue, revenueParts } from "./balances.views.ts";
export { insertSeedPostings, type SeedPosting } from "./seed-import.ts";
export { accounts, type Entry, heldFor, move, post, postConversion, type PostingKind } from "./store.ts";
export { isOfRelease, leftOfRelease, movementsOf, positionOf } from "./views.ts";
