export { syncConnectAccount } from "./accounts.ts";
export { accountsRoutes } from "./accounts.routes.ts";
export { payoutsRoutes } from "./payouts.routes.ts";
export { payoutsOf, payoutTimes } from "./payouts.views.ts";
export { hasDispute, hasOpenObjection, hasOpenOrLostDispute, insertPayout, isDisputed } from "./payouts.store.ts";
export { returnArtistShare } from "./returned-shares.ts";
export { deductFromRelease, disputeCause, sendReversals, syncReversal } from "./reversals.ts";
export { type ChargeLeft, planPayouts, recordTransfer, sendTransfers } from "./transfers.ts";
export { insertSeedPayouts } from "./seed-import.ts";
