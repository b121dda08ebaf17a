import type { Insertable } from "kysely";
import { accounts, move, type Posting } from "#ledger/index.ts";
import type { DB } from "#platform/db/index.ts";
import { splitOver } from "#platform/money.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { splitCommission } from "./rules/prices.rules.ts";
import type { PastPayment, PastRelease, SeedPayments } from "./seed-import.ts";

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
    status: "succeeded",
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
    entries: move(amount, currency, {
      debit: accounts.artistPayable(payout.artist_id),
      credit: accounts.pspClearing,
    }),
  }));
