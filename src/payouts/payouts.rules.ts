/** held (event not over), pending (waits for date or account), frozen, in_transit, paid, failed (refused, manual review), reversed. */
export const payoutStatuses = ["held", "pending", "frozen", "in_transit", "paid", "failed", "reversed"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutWaits = [
  "date",
  "account",
  "owner",
  "bank",
  "refund",
  "dispute",
  "no_show",
  "objection",
  "balance",
] as const;
export type PayoutWait = (typeof payoutWaits)[number];

/** A charge of a booking, and the part of it that is neither refunded nor planned to be, in minor units. */
export type ChargeLeft = Readonly<{ paymentId: string; providerPayment: string; left: number }>;

export type PaidOutside = Readonly<{ how: string; by: string }>;

/** The user who earned the money, who may not be the artist's owner now. An older event has none. */
type Earned = Readonly<{ earnerId?: string | null }>;

export type PayoutPaid = {
  payoutId: string;
  bookingId: string;
  artistId: string;
  amount: number;
  currency: string;
  /** The amount sent, if the provider converted it to another currency. */
  sent?: Readonly<{ amount: number; currency: string }>;
  /** The dispute whose lost share is returned. Null for the payout itself. */
  disputeId?: string | null;
  /** The reversal in the provider's dashboard whose amount was sent again. */
  reversalId?: string | null;
  paidOutside?: PaidOutside & Earned & Readonly<{ id: string }>;
};
/** Published once per payout and returned share: it is due, and the artist's payment account is not complete. */
export type PayoutAwaitsAccount = {
  payoutId: string;
  bookingId: string;
  amount: number;
  currency: string;
  account: "not_started" | "pending" | "restricted";
  disputeId?: string | null;
};
/** Published when the provider refuses to send or reverse a part of a payout. `refused`: the reversal, and why it was planned. */
export type PayoutFailed = {
  what: "transfer" | "reversal";
  bookingId: string;
  amount: number;
  currency: string;
  reason: string;
  /** What the artist must pay back, because it was paid outside the provider, and why. */
  owed?: Earned & Readonly<{ cause: "refund" | "dispute" }>;
  refused?: Earned & Readonly<{ id: string; cause: "refund" | "dispute" }>;
};
/** Published when a part of a payout was reversed. `planned`: by this app, else in the provider's dashboard. */
export type PayoutReversed = Earned & {
  reversalId: string;
  bookingId: string;
  amount: number;
  currency: string;
  planned: boolean;
  cause?: "refund" | "dispute";
  paidOutside?: PaidOutside;
};

/** Returns the id with which a lost dispute deducts from a release (`deductFromRelease`). */
export const disputeCause = (disputeId: string): string => `dispute ${disputeId}`;

export type PayoutState = Readonly<{
  amount: number;
  dueAt: Date;
  paid: boolean;
  reversed: number;
  failed: boolean;
  sent: boolean;
  account: string;
  isFormerOwners: boolean;
  frozenUntil: Date | null;
  refundOpen: boolean;
  /** The payer's bank may take a payment back. */
  disputed: boolean;
  objected: boolean;
}>;

/** Returns the status of a released payout and what it waits for. Every screen uses this function. */
export function payoutStatusOf(payout: PayoutState, now: Date): { status: PayoutStatus; waits: PayoutWait | null } {
  const { amount, paid, reversed } = payout;
  if (amount === 0 || (paid && reversed >= amount)) return { status: "reversed", waits: null };
  if (paid) return { status: "paid", waits: null };
  if (payout.failed) return { status: "failed", waits: null };
  if (payout.sent) return { status: "in_transit", waits: null };
  if (payout.disputed) return { status: "frozen", waits: "dispute" };
  if (payout.objected) return { status: "frozen", waits: "objection" };
  if (payout.refundOpen) return { status: "frozen", waits: "refund" };
  if (payout.isFormerOwners) return { status: "frozen", waits: "owner" };
  if (payout.frozenUntil && payout.frozenUntil > now) return { status: "frozen", waits: "bank" };
  if (payout.account !== "completed") return { status: "pending", waits: "account" };
  return { status: "pending", waits: payout.dueAt > now ? "date" : null };
}
