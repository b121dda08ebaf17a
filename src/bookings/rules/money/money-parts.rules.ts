/** The parts of a booking's price and their next steps. The past comes from the ledger, the future from the rules. */

import { type LedgerPosition, type PaymentKind, paymentKinds, splitCommission } from "#payments/rules.ts";
import { type PayoutStatus, type PayoutWait } from "#payouts/payouts.rules.ts";
import { splitByLargestRemainder } from "#platform/money.rules.ts";
import { feePayableFrom } from "../cancellation/cancellation.rules.ts";
import type { CompletionBlock } from "../completion.rules.ts";
import type { BookingStatus } from "../flow.rules.ts";
import type { UnpayableReason } from "../permissions.rules.ts";

/** Where a part of the price is. `released`: artist and platform together, for the promoter. `nobody`: no longer due. */
export const heldByKinds = [
  "promoter_owes",
  "platform",
  "artist_owed",
  "artist",
  "commission",
  "released",
  "returning",
  "bank",
  "promoter",
  "nobody",
] as const;
export type HeldBy = (typeof heldByKinds)[number];

export const nextSteps = [
  "pay_deposit",
  "pay_balance_once_signed",
  "pay_balance",
  "balance_unpayable",
  "balance_overdue",
  "artist_decides",
  "balance_or_end",
  "balance_stays_open",
  "show",
  "balance_then_show",
  "confirmation",
  "no_show_decision",
  "objection_decision",
  "dispute_end",
  "goes_back",
  "payout",
  "at_the_bank",
  "after_dispute",
  "refund_failed",
  "dispute",
  "appeal_won",
  "end",
] as const;
export type NextStep = (typeof nextSteps)[number];

/** One part of the price. `until` is the latest time of `next`, if known. */
export type MoneyPart = Readonly<{
  held_by: HeldBy;
  part: PaymentKind | null;
  cents: number;
  since: Date | null;
  until: Date | null;
  next: NextStep;
  /** The artist's share of held money. Null for the promoter, and if the money does not go to the artist. */
  artist_cents: number | null;
  payout: Readonly<{ status: PayoutStatus; waits_for: PayoutWait | null }> | null;
}>;

/** The booking's columns, its ledger, and the state around them. Amounts are cents. */
export type MoneyPartInput = Readonly<{
  status: BookingStatus;
  deposit_cents: number;
  balance_cents: number;
  commission_bps: number;
  created_at: Date;
  canceled_at: Date | null;
  starts_at: Date;
  ends_at: Date;
  position: LedgerPosition;
  signedAt: Date | null;
  completesAt: Date;
  unpaidEndsAt: Date | null;
  balance: Readonly<{
    dueAt: Date | null;
    overdue: boolean;
    decisionAt: Date | null;
    mayArtistDecide: boolean;
    unpayable: UnpayableReason | null;
  }>;
  block: CompletionBlock | null;
  refundFailed: boolean;
  refundWaiting: number;
  payout: Readonly<{ status: PayoutStatus; waits_for: PayoutWait | null; dueAt: Date }> | null;
  seesCommission: boolean;
}>;

const plain = { part: null, until: null, artist_cents: null, payout: null } as const;

/** Returns the parts of the price that are not 0, in the order owed, held, released, refunded. They add up to the price. */
export function moneyPartsOf(input: MoneyPartInput, now: Date): MoneyPart[] {
  const rows = [...owedBy(input, now), ...heldNow(input, now), ...released(input, now), ...goneBack(input)];
  return rows.filter(({ cents }) => cents > 0);
}

function owedBy(input: MoneyPartInput, now: Date): MoneyPart[] {
  const price: Record<PaymentKind, number> = { deposit: input.deposit_cents, balance: input.balance_cents };
  return paymentKinds.map((part): MoneyPart => {
    const cents = Math.max(0, price[part] - input.position.parts[part].charged.cents);
    if (input.status === "canceled" || input.status === "completed")
      return { ...plain, held_by: "nobody", part, cents, since: input.canceled_at, next: "end" };
    const since = part === "deposit" ? input.created_at : input.signedAt;
    return { ...plain, held_by: "promoter_owes", part, cents, since, ...nextOwed(input, part, now) };
  });
}

const blockedSteps = {
  no_show: "no_show_decision",
  objection: "objection_decision",
  dispute: "dispute_end",
} as const satisfies Record<Exclude<CompletionBlock, "balance">, NextStep>;

function nextOwed(input: MoneyPartInput, part: PaymentKind, now: Date): Pick<MoneyPart, "next" | "until"> {
  const { balance } = input;
  if (part === "deposit") return { next: "pay_deposit", until: input.starts_at };
  if (balance.unpayable) return { next: "balance_unpayable", until: null };
  if (input.status !== "contract_signed")
    return { next: "pay_balance_once_signed", until: balance.dueAt && balance.dueAt > now ? balance.dueAt : null };
  if (input.block === "objection") return { next: blockedSteps.objection, until: null };
  if (input.starts_at <= now) return unpaidAfterShow(input);
  if (balance.mayArtistDecide) return { next: "artist_decides", until: input.starts_at };
  if (balance.overdue) return { next: "balance_overdue", until: balance.decisionAt };
  return { next: "pay_balance", until: balance.dueAt && balance.dueAt > now ? balance.dueAt : null };
}

const unpaidAfterShow = ({ unpaidEndsAt: until }: MoneyPartInput): Pick<MoneyPart, "next" | "until"> => ({
  next: until ? "balance_or_end" : "balance_stays_open",
  until,
});

function heldNow(input: MoneyPartInput, now: Date): MoneyPart[] {
  const { position } = input;
  if (position.held <= 0) return [];
  const left = paymentKinds.map((part) => {
    const { charged, returning, returned } = position.parts[part];
    return { part, cents: charged.cents - returning.cents - returned.cents, since: charged.since };
  });
  const isWhole =
    left.reduce((sum, { cents }) => sum + cents, 0) === position.held && left.every(({ cents }) => cents >= 0);
  const latest = latestOf(left.map((one) => one.since));
  const parts = isWhole ? left : [{ part: null, cents: position.held, since: latest }];
  const step = nextHeld(input, now);
  const continues = step.next !== "goes_back" && step.next !== "no_show_decision" && step.next !== "objection_decision";
  const amounts = parts.map((one) => one.cents);
  const shares = continues && input.seesCommission ? artistShares(input, amounts) : [];
  return parts.flatMap(({ part, cents, since }, at): MoneyPart[] => {
    const { cents: disputed, since: disputedSince } = disputedOf(position, part, cents);
    return [
      {
        ...plain,
        held_by: "platform",
        part,
        cents: cents - disputed,
        since,
        ...step,
        artist_cents: shares[at] ?? null,
      },
      { ...plain, held_by: "bank", part, cents: disputed, since: disputedSince, next: "dispute_end" },
    ];
  });
}

const latestOf = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((one, other) => (one && other ? (one > other ? one : other) : (one ?? other)), null);

/** Returns the part of a held payment that the payer's bank has until the dispute ends. A null `part` means both payments. */
function disputedOf(
  position: LedgerPosition,
  part: PaymentKind | null,
  held: number,
): { cents: number; since: Date | null } {
  const disputed = (part ? [part] : paymentKinds).map((kind) => position.parts[kind].disputed);
  const cents = disputed.reduce((sum, one) => sum + one.cents, 0);
  return { cents: Math.min(held, cents), since: disputed.find((one) => one.cents > 0)?.since ?? null };
}

function artistShares({ commission_bps: bps }: MoneyPartInput, parts: readonly number[]): number[] {
  const held = parts.reduce((sum, cents) => sum + cents, 0);
  return splitByLargestRemainder(splitCommission(held, bps).artist, parts);
}

function nextHeld(input: MoneyPartInput, now: Date): Pick<MoneyPart, "next" | "until"> {
  const ended = input.status === "canceled" || input.status === "completed";
  if (ended || input.status === "initiated") return { next: "goes_back", until: null };
  if (input.block && input.block !== "balance") return { next: blockedSteps[input.block], until: null };
  // A balance below the least card payment does not delay the release.
  const isUnpaid =
    input.balance.unpayable !== "too_small" && input.balance_cents > input.position.parts.balance.charged.cents;
  if (isUnpaid && input.balance.unpayable) return { next: "balance_then_show", until: null };
  if (isUnpaid && input.ends_at <= now) return unpaidAfterShow(input);
  if (isUnpaid) return { next: "balance_then_show", until: null };
  return { next: input.ends_at <= now ? "confirmation" : "show", until: input.completesAt };
}

function released(input: MoneyPartInput, now: Date): MoneyPart[] {
  const { artist, platform, sent, releasedAt: since } = input.position;
  if (!input.seesCommission) {
    const from = input.canceled_at && feePayableFrom(input.canceled_at);
    const times = from && from > now ? { since: null, until: from } : { since: from ?? since };
    return [{ ...plain, held_by: "released", cents: artist + platform, ...times, next: "end" }];
  }
  const arrived = Math.min(artist, Math.max(0, sent.cents));
  const payout = input.payout && { status: input.payout.status, waits_for: input.payout.waits_for };
  const until = input.payout?.waits_for === "date" ? input.payout.dueAt : null;
  return [
    { ...plain, held_by: "artist_owed", cents: artist - arrived, since, until, next: "payout", payout },
    { ...plain, held_by: "artist", cents: arrived, since: sent.since, next: "end" },
    { ...plain, held_by: "commission", cents: platform, since, next: "end" },
  ];
}

function goneBack({ position, refundFailed, refundWaiting }: MoneyPartInput): MoneyPart[] {
  const { deposit, balance } = position.parts;
  const both = (of: "returning" | "returned") => ({
    cents: deposit[of].cents + balance[of].cents,
    since: latestOf([deposit[of], balance[of]].map(({ cents, since }) => (cents > 0 ? since : null))),
  });
  const returning = both("returning");
  const waiting = Math.min(refundWaiting, returning.cents);
  return [
    {
      ...plain,
      held_by: "returning",
      ...returning,
      cents: returning.cents - waiting,
      next: refundFailed ? "refund_failed" : "at_the_bank",
    },
    { ...plain, held_by: "returning", ...returning, cents: waiting, next: "after_dispute" },
    { ...plain, held_by: "bank", cents: position.disputed, since: null, next: "dispute" },
    { ...plain, held_by: "platform", cents: position.regained, since: null, next: "appeal_won" },
    { ...plain, held_by: "promoter", ...both("returned"), next: "end" },
  ];
}
