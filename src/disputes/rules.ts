/** The provider's states in order. A late report never moves a dispute back. A lost dispute can still be won by an appeal. */
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

/** The displayed states. `inquiry`: the bank only asks a question and has taken no money. */
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

/** Returns the displayed state. An unknown status counts as open, to block payouts. */
export const disputeStateOf = (status: string): DisputeState =>
  Object.hasOwn(states, status) ? (states[status] ?? "open") : "open";

export const isClosed = (status: string): boolean => ["won", "lost", "closed"].includes(disputeStateOf(status));

/** Returns true if the payer disputes the payment: it is more than an inquiry, and was not withdrawn. */
export const isRealDispute = (status: string): boolean =>
  !status.startsWith("warning_") && ["open", "review", "lost"].includes(disputeStateOf(status));

export const acceptsEvidence = (status: string): boolean => ["inquiry", "open"].includes(disputeStateOf(status));

/** Returns true if a dispute can be accepted: the bank waits for an answer and none was stored or sent. An inquiry can only be answered or refunded. */
export const mayAccept = (dispute: { status: string; submissions: number; hasEvidence: boolean }): boolean =>
  disputeStateOf(dispute.status) === "open" && dispute.submissions === 0 && !dispute.hasEvidence;

export const statusesTakingEvidence: readonly string[] = Object.keys(states).filter(acceptsEvidence);

/** Returns the status after a report, never an earlier one than the known status, regardless of the order of reports. */
export function laterStatus(known: string, reported: string): string {
  const [before, after] = [order[known], order[reported]];
  if (before === undefined) return reported;
  // An appeal or another unknown status reopens nothing that was decided.
  if (after === undefined) return isClosed(known) ? known : reported;
  if (after > before || (known === "lost" && reported === "won")) return reported;
  return known;
}

/** Returns minor units of the dispute's currency, without sign. The rounding of an exchange rate makes no difference. */
export function movedAmount(
  movement: { amount: number; currency: string; exchangeRate: number | null },
  disputed: { amount: number; currency: string },
): number {
  const amount = Math.abs(movement.amount);
  if (movement.currency === disputed.currency) return amount;
  const { exchangeRate } = movement;
  if (exchangeRate === null || Math.abs(disputed.amount * exchangeRate - amount) <= 1 + amount / 100_000)
    return disputed.amount;
  return Math.round(amount / exchangeRate);
}

export const evidenceStates = ["requested", "submitted", "succeeded", "failed"] as const;
export type EvidenceState = (typeof evidenceStates)[number];

/** After the step, in minor units: what the bank has not returned, and what is held again. An older event has neither. */
type Returned = Readonly<{ missing?: number; heldAgain?: number }>;

/** Published once per step of a dispute. Amounts are minor units. */
export type DisputeChanged = {
  disputeId: string;
  bookingId: string | null;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  dueAt: string | null;
} & (
  | { step: "opened" | "escalated" | "evidence_sent" }
  | { step: "evidence_refused"; error: string }
  /** `ref`: the movement. `afterAppeal`: a later part of the money of a dispute that an appeal had won. */
  | ({ step: "withdrawn" | "reinstated"; moved: number; ref?: string; afterAppeal?: boolean } & Returned)
  /** The bank returned its money after an appeal was decided, so refunds of the sum `reopened` are due again. `rest` is less than the next refund. */
  | { step: "refunds_reopened"; reopened: number; rest?: number }
  /** After an appeal: `artist` is the returned part of a share that the loss had taken, `untaken` what of it was not deducted yet. */
  | { step: "share_returned"; artist: number; untaken?: number }
  /** `artist` is what the artist lost of an earlier share, `held` what was taken of held money. `answered`: the bank got evidence. */
  | ({
      step: "closed";
      answered?: boolean;
      artist: number;
      held: number;
      refunded: number;
      platform: number;
    } & Returned)
);
