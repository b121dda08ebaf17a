/** The ledger position of one booking: who has each cent of its money, and since when. Amounts are minor units. */

export const paymentKinds = ["deposit", "balance"] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** The postings of one booking, summed by payment, cause and account. `account` is the part before the colon. */
export type PostingSum = Readonly<{
  payment: PaymentKind | null;
  kind: string;
  account: string;
  amount: number;
  first: Date;
  last: Date;
}>;

type Amount = Readonly<{ cents: number; since: Date | null }>;

/** What was charged for one kind of payment, what of it is being refunded or is refunded, and what the bank holds in an open dispute. */
export type ChargedPart = Readonly<{ charged: Amount; returning: Amount; returned: Amount; disputed: Amount }>;

/** Where the money of a booking is. The charged sum is `held` + `returning` + `returned` + `disputed` + `regained` + `artist` + `platform`. */
export type LedgerPosition = Readonly<{
  parts: Readonly<Record<PaymentKind, ChargedPart>>;
  held: number;
  /** The end of holding. Null until the release. */
  releasedAt: Date | null;
  /** The artist's share of the release after refunds, whether it was sent or not. */
  artist: number;
  /** What arrived at the artist's account, less reversals. */
  sent: Amount;
  platform: number;
  /** Taken by the payer's bank in lost disputes, which may have replaced refunds of ours. */
  disputed: number;
  /** Lost and won back by an appeal. The platform has it until an admin divides it. */
  regained: number;
  /** What banks took in lost disputes beyond the price, borne by the platform. */
  platformLoss: number;
}>;

const settledKinds = ["refund_settled", "refund_undone"];
const transferKinds = ["payout", "reversal", "payout_returned"];

export function positionFrom(sums: readonly PostingSum[]): LedgerPosition {
  const total = (when: (sum: PostingSum) => boolean, sign: 1 | -1) => {
    const cents = sums.filter(when).reduce((all, { amount }) => all + amount, 0);
    return cents === 0 ? 0 : cents * sign;
  };
  const moment = (when: (sum: PostingSum) => boolean, which: "first" | "last") => {
    const times = sums.filter(when).map((sum) => sum[which].getTime());
    return times.length === 0 ? null : new Date(which === "first" ? Math.min(...times) : Math.max(...times));
  };
  const partOf = (payment: PaymentKind): ChargedPart => {
    const of = (account: string, kinds: readonly string[]) => (sum: PostingSum) =>
      sum.payment === payment && sum.account === account && kinds.includes(sum.kind);
    const charges = of("held", ["charge"]);
    const back = of("psp_clearing", settledKinds);
    const pending = of("refund_in_flight", ["refund_planned", ...settledKinds]);
    const inDispute = (sum: PostingSum) => sum.payment === payment && sum.account === "dispute_in_flight";
    return {
      charged: { cents: total(charges, -1), since: moment(charges, "first") },
      returning: {
        cents: total(pending, -1),
        since: moment(of("refund_in_flight", ["refund_planned", "refund_undone"]), "last"),
      },
      returned: { cents: total(back, -1), since: moment(back, "last") },
      disputed: { cents: Math.max(0, total(inDispute, 1)), since: moment(inDispute, "first") },
    };
  };
  const isArtist = ({ account }: PostingSum) => account === "artist_payable" || account === "artist_receivable";
  const isTransfer = (sum: PostingSum) => isArtist(sum) && transferKinds.includes(sum.kind);
  const parts = { deposit: partOf("deposit"), balance: partOf("balance") };
  const held = total(({ account }) => account === "held", -1);
  const artist = total((sum) => isArtist(sum) && !isTransfer(sum), -1);
  const platform = total(({ account }) => account === "platform_revenue", -1);
  const sumOf = (read: (part: ChargedPart) => number) => paymentKinds.reduce((all, kind) => all + read(parts[kind]), 0);
  const back = sumOf(({ returning, returned }) => returning.cents + returned.cents);
  const lost = Math.max(0, sumOf(({ charged }) => charged.cents) - held - back - artist - platform);
  // Money from an appeal first covers what the loss took from the platform beyond the price.
  const wonBack = total(({ account }) => account === "dispute_loss", -1);
  const regained = Math.min(lost, Math.max(0, wonBack));
  return {
    parts,
    held,
    releasedAt: moment(({ kind }) => kind === "release", "first"),
    artist,
    sent: { cents: total(isTransfer, 1), since: moment((sum) => isArtist(sum) && sum.kind === "payout", "last") },
    platform,
    disputed: lost - regained,
    regained,
    platformLoss: Math.max(0, -wonBack),
  };
}

/** Returns what refunds, also planned ones, and lost disputes took of the charged sum. */
export const returnedOf = ({ parts, disputed, regained }: LedgerPosition): number =>
  paymentKinds.reduce((sum, kind) => sum + parts[kind].returning.cents + parts[kind].returned.cents, 0) +
  disputed +
  regained;
