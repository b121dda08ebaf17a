import type { PayoutStatus, PayoutWait } from "#payouts/payouts.rules.ts";

export const completionBlocks = ["objection", "no_show", "dispute", "balance"] as const;
export type CompletionBlock = (typeof completionBlocks)[number];

/** Returns the payout state of a booking that is not completed. Only an unpaid balance needs no decision. */
export const heldPayoutOf = (block: CompletionBlock | null): { status: PayoutStatus; waits: PayoutWait | null } => ({
  status: block === null || block === "balance" ? "held" : "frozen",
  waits: block,
});

/** An open objection also stops every payment of the balance. */
export const objectionStopsPayments =
  "A party objects to the contract. Nothing can be paid until an admin has decided.";

export const completionBlockText: Record<CompletionBlock, string> = {
  no_show: "A no-show was reported. An admin decides first.",
  objection: "A party objects to the signature of the contract. An admin decides first.",
  dispute: "A payment of this booking is disputed. The show can be confirmed when the dispute has ended.",
  balance: "The balance is not paid yet. The show can be confirmed when it is.",
};
