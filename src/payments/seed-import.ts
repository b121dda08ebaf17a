import type { Insertable } from "kysely";
import { accounts, insertSeedPostings, move, type Posting } from "#ledger/index.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import { insertSeedPayouts } from "#payouts/index.ts";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";
import { splitOver } from "#platform/money.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { releaseEntries } from "./refunds/release.ts";
import { demoFee, splitCommission } from "./rules/prices.rules.ts";

/** The final state of a past payment. Amounts are minor units. `refunded` is the refunded part or all of it. */
export type PastPayment = {
  id: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  outcome: "paid" | "failed" | "waiting";
  refunded: number;
  refundId: string;
  refundedAt: Date | null;
  title: string;
  description: string;
  payerEmail: string;
  payerName: string;
  at: Date;
};

export type PastRelease = {
  bookingId: string;
  artistId: string;
  retained: number;
  commissionBps: number;
  currency: string;
  at: Date;
};

export type SeedPayments = {
  payments: readonly PastPayment[];
  releases: readonly PastRelease[];
  connects: readonly Insertable<DB["artist_connect"]>[];
  /** Releases before this time were paid out to artists whose account is complete. */
  paidOutBefore: Date;
  newId: () => string;
};

export async function insertSeedPayments(tx: Tx, history: SeedPayments): Promise<void> {
  const paid = history.payments.filter((payment) => payment.outcome === "paid");
  const refunded = paid.filter((payment) => payment.refunded > 0);
  const payouts = planPayouts(history);
  const postings = [
    ...payouts.flatMap(payoutPostings),
    ...paid.flatMap(chargePostings),
    ...refunded.flatMap(refundPostings),
    ...history.releases.filter((release) => release.retained > 0).map(releasePosting),
  ];
  for (const rows of chunks(history.payments.map(paymentRow))) await tx.insertInto("payments").values(rows).execute();
  for (const rows of chunks(paid.map(chargeRow))) await tx.insertInto("provider_charges").values(rows).execute();
  for (const rows of chunks(refunded.map(refundRow))) await tx.insertInto("refunds").values(rows).execute();
  await insertSeedPostings(tx, postings, history.newId);
  await insertSeedPayouts(tx, {
    payouts: payouts.map(({ payout }) => payout),
    transfers: payouts.flatMap(({ transfers }) => transfers),
    accounts: history.connects,
  });
}

function paymentRow(payment: PastPayment): Insertable<DB["payments"]> {
  const { id, bookingId, kind, amount, currency, outcome, refunded, at, title } = payment;
  const paid = outcome === "paid";
  const gone = paid && refunded === amount;
  return {
    id,
    booking_id: bookingId,
    kind,
    amount,
    currency,
    status: gone ? "refunded" : paid ? "succeeded" : outcome === "failed" ? "failed" : "requires_payment_method",
    checkout_state: gone || outcome === "failed" ? "closed" : paid ? "paid" : "reserved",
    title,
    provider: "sandbox",
    provider_ref: outcome === "waiting" ? null : `cs_demo_${tail(payment)}`,
    provider_payment: paid ? `pi_demo_${tail(payment)}` : null,
    provider_charge: paid ? `ch_demo_${tail(payment)}` : null,
    amount_refunded: refunded,
    last_error: outcome === "failed" ? "The card was declined." : null,
    decline_code: outcome === "failed" ? "card_declined" : null,
    description: payment.description,
    payer_email: payment.payerEmail,
    payer_name: payment.payerName,
    payment_date: paid ? at : null,
    requested_at: outcome === "waiting" ? null : at,
    created_at: at,
    updated_at: at,
  };
}

const chargeRow = (payment: PastPayment) => ({
  provider_payment: `pi_demo_${tail(payment)}`,
  payment_id: payment.id,
  checkout_ref: `cs_demo_${tail(payment)}`,
  charge: `ch_demo_${tail(payment)}`,
  amount: payment.amount,
  currency: payment.currency,
  settled_amount: payment.amount,
  settled_currency: payment.currency,
  captured_at: payment.at,
  recorded_as: "payment" as const,
});

const refundRow = (payment: PastPayment) => ({
  id: payment.refundId,
  payment_id: payment.id,
  provider_payment: `pi_demo_${tail(payment)}`,
  amount: payment.refunded,
  currency: payment.currency,
  reason: "The booking was canceled.",
  cause_key: `made:${payment.id}`,
  status: "succeeded" as const,
  provider_ref: `re_demo_${tail(payment)}`,
  attempts: 1,
  created_at: payment.refundedAt ?? payment.at,
  updated_at: payment.refundedAt ?? payment.at,
});

function chargePostings(payment: PastPayment): Posting[] {
  const { id: paymentId, bookingId, amount, currency, at } = payment;
  const { pspClearing, pspFees, held } = accounts;
  const reference = `pi_demo_${tail(payment)}`;
  const charge = move(amount, currency, { debit: pspClearing, credit: held(bookingId) });
  const fee = move(demoFee(amount), currency, { debit: pspFees, credit: pspClearing });
  return [
    { kind: "charge", cause: `charge:${reference}`, bookingId, paymentId, at, entries: charge },
    { kind: "provider_fee", cause: `fee:${reference}`, bookingId, paymentId, at, entries: fee },
  ];
}

function refundPostings({
  id: paymentId,
  bookingId,
  refundId,
  refunded,
  currency,
  refundedAt,
  at: paidAt,
}: PastPayment) {
  const { pspClearing, refundInFlight, held } = accounts;
  const planned = move(refunded, currency, { debit: held(bookingId), credit: refundInFlight });
  const settled = move(refunded, currency, { debit: refundInFlight, credit: pspClearing });
  const of = { bookingId, paymentId, at: refundedAt ?? paidAt };
  return [
    { ...of, kind: "refund_planned", cause: `refund:${refundId}:planned`, entries: planned },
    { ...of, kind: "refund_settled", cause: `refund:${refundId}:settled`, entries: settled },
  ] as const;
}

function releasePosting(release: PastRelease): Posting {
  const { bookingId, retained, at } = release;
  const entries = releaseEntries(release, splitCommission(retained, release.commissionBps));
  const moved = entries.filter((entry) => entry.amount !== 0);
  return { kind: "release", cause: `release:${bookingId}`, bookingId, at, entries: moved };
}

type PlannedPayout = {
  payout: Insertable<DB["payouts"]> & { id: string; created_at: Date; paid_at: Date | null };
  transfers: (Insertable<DB["transfers"]> & { id: string; amount: number; currency: string; payment_id: string })[];
};

const payoutDelayMinutes = 4;

/** Plans the payout of each release: paid if it is old enough and the artist's account is complete, else waiting. */
export function planPayouts(history: SeedPayments): PlannedPayout[] {
  const complete = new Set(
    history.connects.filter((row) => row.onboarding_status === "completed").map((row) => row.artist_id),
  );
  const charges = Map.groupBy(
    history.payments.filter((payment) => payment.outcome === "paid"),
    (payment) => payment.bookingId,
  );
  return history.releases.flatMap((release) => {
    const { artist } = splitCommission(release.retained, release.commissionBps);
    if (artist === 0) return [];
    const isPaid = complete.has(release.artistId) && release.at < history.paidOutBefore;
    return [planned(history, release, { amount: artist, isPaid, charges: charges.get(release.bookingId) ?? [] })];
  });
}

function planned(
  history: SeedPayments,
  release: PastRelease,
  { amount, isPaid, charges }: { amount: number; isPaid: boolean; charges: readonly PastPayment[] },
): PlannedPayout {
  const { bookingId, artistId, currency, at } = release;
  const id = history.newId();
  const paidAt = isPaid ? new Date(at.getTime() + payoutDelayMinutes * minuteMs) : null;
  const payout = {
    id,
    booking_id: bookingId,
    artist_id: artistId,
    amount,
    currency,
    due_at: at,
    planned_at: paidAt,
    paid_at: paidAt,
    created_at: at,
    updated_at: paidAt ?? at,
  };
  if (!paidAt) return { payout, transfers: [] };
  const open = charges.map((charge) => ({ charge, left: charge.amount - charge.refunded }));
  const transfers = splitOver(amount, open).map(({ charge, share }) =>
    transferRow(history, { payoutId: id, charge, share, paidAt }),
  );
  return { payout, transfers };
}

/** Suffix of every reference. It contains the object's data because the sandbox derives its responses from it. */
export const tail = ({ id, amount, currency, at }: { id: string; amount: number; currency: string; at: Date }) =>
  `${currency}_${amount}_${Math.floor(at.getTime() / 1000)}_${id.replaceAll("-", "")}`;

type Sent = { payoutId: string; charge: PastPayment; share: number; paidAt: Date };

function transferRow(history: SeedPayments, { payoutId, charge, share, paidAt }: Sent) {
  const id = history.newId();
  return {
    id,
    payout_id: payoutId,
    payment_id: charge.id,
    provider_payment: `pi_demo_${tail(charge)}`,
    amount: share,
    currency: charge.currency,
    settled_amount: share,
    settled_currency: charge.currency,
    status: "succeeded" as const,
    provider_ref: `tr_demo_${tail({ id, amount: share, currency: charge.currency, at: paidAt })}`,
    attempts: 1,
    requested_at: paidAt,
    sent_at: paidAt,
    created_at: paidAt,
    updated_at: paidAt,
  };
}

export const payoutPostings = ({ payout, transfers }: PlannedPayout): Posting[] =>
  transfers.map(({ id, payment_id: paymentId, amount, currency }) => ({
    kind: "payout",
    cause: `transfer:${id}`,
    bookingId: payout.booking_id,
    paymentId,
    at: payout.paid_at ?? payout.created_at,
    entries: move(amount, currency, { debit: accounts.artistPayable(payout.artist_id), credit: accounts.pspClearing }),
  }));
