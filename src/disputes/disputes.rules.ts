/** The provider's states in order. A late report never moves a dispute back; a lost dispute can still be won by an appeal. */
const order: Readonly<Record<string, number>> = {
  warning_needs_response: 1,
  warning_under_review: 2,
  warning_closed: 3,
  needs_response: 4,
  under_review: 5,
  prevented: 6,
  won: 6,
  lost: 6,
};

/** What a state means for people. `inquiry`: the bank only asks, and no money has been taken. */
export type DisputeState = "inquiry" | "open" | "review" | "won" | "lost" | "closed";

const states: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "review",
  warning_closed: "closed",
  needs_response: "open",
  under_review: "review",
  prevented: "closed",
  won: "won",
  lost: "lost",
};

/** How a dispute stands; a state that we do not know counts as open, so that no payout goes out. */
export const disputeStateOf = (status: string): DisputeState =>
  Object.hasOwn(states, status) ? (states[status] ?? "open") : "open";

export const isClosed = (status: string): boolean => ["won", "lost", "closed"].includes(disputeStateOf(status));

/** The payer disputes the payment: the bank does more than ask, and the dispute was not given up. */
export const isRealDispute = (status: string): boolean =>
  !status.startsWith("warning_") && ["open", "review", "lost"].includes(disputeStateOf(status));

export const takesEvidence = (status: string): boolean => ["inquiry", "open"].includes(disputeStateOf(status));

/** Whether a dispute can be given up: the bank waits for an answer, and none was sent. An inquiry has taken nothing yet; it is answered, or refunded. */
export const mayAccept = (dispute: { status: string; submissions: number; hasEvidence: boolean }): boolean =>
  disputeStateOf(dispute.status) === "open" && dispute.submissions === 0 && !dispute.hasEvidence;

export const statusesTakingEvidence: readonly string[] = Object.keys(states).filter(takesEvidence);

/** The state after a report: never one that comes before the known one, in whatever order reports arrive. */
export function laterStatus(known: string, reported: string): string {
  const [before, after] = [order[known], order[reported]];
  if (before === undefined) return reported;
  // An appeal and other states that we do not know reopen nothing that was decided.
  if (after === undefined) return isClosed(known) ? known : reported;
  if (after > before || (known === "lost" && reported === "won")) return reported;
  return known;
}

export const evidenceStates = ["requested", "submitted", "succeeded", "failed"] as const;
export type EvidenceState = (typeof evidenceStates)[number];

/** A dispute has taken a step; each is published once. Amounts are minor units. */
export type DisputeChanged = {
  disputeId: string;
  /** Null when the charge belongs to no booking. */
  bookingId: string | null;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  dueAt: string | null;
} & (
  | { step: "opened" | "escalated" | "evidence_sent" }
  | { step: "evidence_refused"; error: string }
  | { step: "withdrawn" | "reinstated"; moved: number }
  /** After an appeal: `artist` is what the artist has got back of a share that the loss had taken. */
  | { step: "share_returned"; artist: number }
  /** `artist` is what the artist has lost of an earlier share, `held` what was taken of money that is still held. */
  | { step: "closed"; artist: number; held: number; refunded: number; platform: number }
);
