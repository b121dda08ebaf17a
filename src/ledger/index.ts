export { ledgerBalance, paidIn, payableOf, platformSums, revenue } from "./balances.views.ts";
export { ledgerJobs } from "./jobs.ts";
export { paymentFigures } from "./payment-figures.views.ts";
export { insertSeedPostings } from "./seed-import.ts";
export { accounts, type Entry, heldFor, move, post, type Posting, postConversion } from "./store.ts";
export { isOfRelease, leftOfRelease, movementsOf, positionOf, regainedOf } from "./views.ts";
