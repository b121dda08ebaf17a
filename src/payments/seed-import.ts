import type { Insertable } from "kysely";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";
import { accounts, insertSeedPostings, move, type PostingKind, type SeedPosting } from "#ledger/index.ts";
import { insertSeedPayouts } from "#payouts/index.ts";
import { payoutGroups, planPayouts, tail } from "./seed-payouts.ts";
import { releaseEntries } from "./refunds/release.ts";
import { demoFee, splitCommission } from "./rules/prices.rules.ts";
import { type PaymentKind } from "#ledger/rules.ts";

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
  const groups = [
    ...payouts.flatMap((planned) => payoutGroups(planned, history.newId)),
    ...paid.flatMap((payment) => chargeGroups(payment, history.newId)),
    ...refunded.flatMap((payment) => refundGroups(payment, history.newId)),
    ...history.releases
      .filter((release) => release.retained > 0)
      .map((release) => releaseGroup(release, history.newId)),
  ];
  for (const rows of chunks(history.payments.map(paymentRow))) await tx.insertInto("payments").values(rows).execute();
  for (const rows of chunks(paid.map(chargeRow))) await tx.insertInto("provider_charges").values(rows).execute();
  for (const rows of chunks(refunded.map(refundRow))) await tx.insertInto("refunds").values(rows).execute();
  await insertSeedPostings(tx, groups);
  await insertSeedPayouts(tx, {
    payouts: payouts.map(({ payout }) => payout),
    transfers: payouts.flatMap(({ transfers }) => transfers),
    accounts: history.connects,
  });
}

function paymentRow(payment: PastPayment) {
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
  recorded_as: "payment",
});

const refundRow = (payment: PastPayment) => ({
  id: payment.refundId,
  payment_id: payment.id,
  provider_payment: `pi_demo_${tail(payment)}`,
  amount: payment.refunded,
  currency: payment.currency,
  reason: "The booking was canceled.",
  cause_key: `made:${payment.id}`,
  status: "succeeded",
  provider_ref: `re_demo_${tail(payment)}`,
  attempts: 1,
  created_at: payment.refundedAt ?? payment.at,
  updated_at: payment.refundedAt ?? payment.at,
});

function chargeGroups(payment: PastPayment, newId: () => string): SeedPosting[] {
  const { amount, currency, at } = payment;
  const of = groupsOf(payment, newId);
  const { pspClearing, pspFees, held } = accounts;
  const reference = `pi_demo_${tail(payment)}`;
  return [
    of(
      "charge",
      `charge:${reference}`,
      at,
      move(amount, currency, { debit: pspClearing, credit: held(payment.bookingId) }),
    ),
    of(
      "provider_fee",
      `fee:${reference}`,
      at,
      move(demoFee(amount), currency, { debit: pspFees, credit: pspClearing }),
    ),
  ];
}

function refundGroups(payment: PastPayment, newId: () => string): SeedPosting[] {
  const { refundId, refunded, currency } = payment;
  const at = payment.refundedAt ?? payment.at;
  const of = groupsOf(payment, newId);
  const { pspClearing, refundInFlight, held } = accounts;
  const planned = move(refunded, currency, { debit: held(payment.bookingId), credit: refundInFlight });
  const settled = move(refunded, currency, { debit: refundInFlight, credit: pspClearing });
  return [
    of("refund_planned", `refund:${refundId}:planned`, at, planned),
    of("refund_settled", `refund:${refundId}:settled`, at, settled),
  ];
}

const groupsOf =
  (payment: PastPayment, newId: () => string) =>
  (kind: PostingKind, cause: string, at: Date, entries: SeedPosting["entries"]): SeedPosting => ({
    group: {
      id: newId(),
      cause_key: cause,
      kind,
      booking_id: payment.bookingId,
      payment_id: payment.id,
      posted_at: at,
    },
    entries,
  });

function releaseGroup(release: PastRelease, newId: () => string): SeedPosting {
  const { bookingId, retained, at } = release;
  const entries = releaseEntries(release, splitCommission(retained, release.commissionBps));
  return {
    group: { id: newId(), cause_key: `release:${bookingId}`, kind: "release", booking_id: bookingId, posted_at: at },
    entries: entries.filter((entry) => entry.amount !== 0),
  };
}
