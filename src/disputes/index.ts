export { acceptDispute } from "./response/acceptance.ts";
export { requestEvidence, sendEvidence } from "./response/evidence.ts";
export type { NewFile as EvidenceFile } from "./response/evidence.store.ts";
export { disputesJobs } from "./jobs.ts";
export { coverFailedRefund } from "./loss.ts";
export { returnShares } from "./return-shares.ts";
export { fetchDispute, recordDispute } from "./sync.ts";
export { bookingOfDispute, disputedOf, disputesOf, disputeStatuses, openDisputes, type DisputeView } from "./views.ts";
export { hasFailedRefund, openRefundsOf, waitingRefundOf, waitingShareOf } from "./waiting-refunds.views.ts";
