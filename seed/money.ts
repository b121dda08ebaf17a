import { publicShowOf } from "#artists/index.ts";
import { policyNamed, quoteFor } from "#bookings/rules.ts";
import { canonicalHash } from "#contracts/agreements-for-bookings.ts";
import { type ContractTerms } from "#contracts/rules.ts";
import { defaultCurrency } from "#payments/rules.ts";
import type { PastPayment, PastRelease } from "#payments/seed-import.ts";
import { json } from "#platform/db/index.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { artistDefaults, platformDefaults } from "#settings/defaults.rules.ts";
import { later, type Show } from "./market.ts";
import type { Random } from "./random.ts";

const { depositPercent, commissionBps } = platformDefaults;
const terms = { depositPercent, currency: defaultCurrency, commissionBps } as const;
const policy = policyNamed("standard");

export type Paid = { deposit?: PastPayment; balance?: PastPayment };

export type Books = ReturnType<typeof keepBooks>;

/** Calculates a show to the cent: its booking, its date reservation, its contract, its payments and its payout. */
export function keepBooks(show: Show, random: Random) {
  const quote = quoteFor(show.fee, terms);
  const payments = paymentsOf(show, quote, random);
  const paid: Paid = {};
  for (const payment of payments) if (payment.outcome === "paid") paid[payment.kind] = payment;
  const released = show.completedAt ?? (show.canceled && show.depositAt ? show.canceled.at : undefined);
  const retained = Object.values(paid).reduce((sum, payment) => sum + payment.amount - payment.refunded, 0);
  const release: PastRelease | undefined = released && {
    bookingId: show.id,
    artistId: show.artist.row.id,
    retained,
    at: released,
    commissionBps: terms.commissionBps,
    currency: terms.currency,
  };
  return {
    booking: bookingRow(show, quote, paid),
    reservation: reservationRow(show, random),
    contract: contractRow(show, quote, random),
    payments,
    release,
  };
}

type Quote = ReturnType<typeof quoteFor>;

function paymentsOf(show: Show, quote: Quote, random: Random): PastPayment[] {
  const make = (kind: "deposit" | "balance", outcome: PastPayment["outcome"], at: Date, refunded = 0): PastPayment => ({
    id: random.id(),
    bookingId: show.id,
    kind,
    amount: kind === "deposit" ? quote.deposit_cents : quote.balance_cents,
    currency: quote.currency,
    outcome,
    refunded,
    refundId: random.id(),
    refundedAt: refunded > 0 ? (show.canceled?.at ?? null) : null,
    title: `${kind === "deposit" ? "Deposit" : "Balance"} for ${show.artist.row.name}`,
    description: `${describeDay(show.date)}, ${show.time}\n${show.venue}`,
    payerEmail: show.promoter.email,
    payerName: show.promoter.name,
    at,
  });
  const made: PastPayment[] = [];
  const refund = show.canceled?.refund ?? "none";
  const stumbles = random.next();
  if (show.depositAt) {
    if (stumbles < 0.06) made.push(make("deposit", "failed", later(show.depositAt, -3 * minuteMs)));
    made.push(make("deposit", "paid", show.depositAt, refund === "all" ? quote.deposit_cents : 0));
  } else if (stumbles < 0.35) made.push(make("deposit", "failed", later(show.requestedAt, 4 * minuteMs)));
  else if (stumbles < 0.6 && show.status === "initiated")
    made.push(make("deposit", "waiting", later(show.requestedAt, 2 * minuteMs)));
  if (show.balanceAt) {
    const back =
      refund === "all" ? quote.balance_cents : refund === "half_balance" ? Math.ceil(quote.balance_cents / 2) : 0;
    if (stumbles > 0.97) made.push(make("balance", "failed", later(show.balanceAt, -6 * minuteMs)));
    made.push(make("balance", "paid", show.balanceAt, back));
  }
  return made;
}

function bookingRow(show: Show, quote: Quote, paid: Paid) {
  const { promoter, canceled } = show;
  const event = {
    event_date: show.date,
    event_type: show.eventType,
    venue_name: show.venue,
    venue_address: show.venue,
  };
  return {
    ...event,
    id: show.id,
    artist_id: show.artist.row.id,
    promoter_user_id: promoter.hasAccount ? promoter.id : null,
    promoter_name: promoter.name,
    promoter_email: promoter.email,
    promoter_phone: promoter.phone,
    event_time: show.time,
    guest_count: show.guests,
    duration: show.minutes % 60 === 0 ? `${show.minutes / 60} hours` : `${show.minutes} minutes`,
    duration_minutes: show.minutes,
    special_requests: show.specialRequest,
    time_zone: show.artist.row.time_zone,
    starts_at: show.startsAt,
    ends_at: show.endsAt,
    status: show.status,
    listing: show.status === "contract_signed" && publicShowOf(event) ? ("listed" as const) : null,
    ...quote,
    policy_name: policy.name,
    policy: json(policy),
    canceled_at: canceled?.at ?? null,
    canceled_by: canceled?.by ?? null,
    cancel_code: canceled?.code ?? null,
    cancel_note: canceled?.note ?? null,
    email_proven_at: show.requestedAt,
    deposit_paid_at: paid.deposit?.at ?? null,
    deposit_payment_id: paid.deposit?.id ?? null,
    balance_paid_at: paid.balance?.at ?? null,
    balance_payment_id: paid.balance?.id ?? null,
    completed_at: show.completedAt ?? null,
    created_at: show.requestedAt,
    updated_at:
      show.completedAt ??
      canceled?.at ??
      paid.balance?.at ??
      show.signedAt ??
      show.sentAt ??
      show.depositAt ??
      show.requestedAt,
  };
}

/** Returns the reservation of a paid date, unless the show was canceled. */
function reservationRow(show: Show, random: Random) {
  if (!show.depositAt || show.canceled) return undefined;
  const { bufferBefore, bufferAfter } = artistDefaults;
  const range = (from: Date, to: Date) => `[${from.toISOString()},${to.toISOString()})`;
  return {
    id: random.id(),
    artist_id: show.artist.row.id,
    booking_id: show.id,
    kind: "booked" as const,
    during: range(later(show.startsAt, -bufferBefore * minuteMs), later(show.endsAt, bufferAfter * minuteMs)),
    span: range(show.startsAt, show.endsAt),
    created_at: show.depositAt,
  };
}

function contractRow(show: Show, quote: Quote, random: Random) {
  const waits = show.status === "initiated" && random.boolean(0.4);
  if (waits) return undefined;
  const signed = show.canceled ? show.canceled.contract : show.signedAt ? "signed" : show.sentAt ? "sent" : "draft";
  const agreed = termsOf(show, quote);
  return {
    id: random.id(),
    booking_id: show.id,
    signed_status: signed,
    provider: "embedded",
    terms: json(agreed),
    terms_hash: canonicalHash(agreed),
    // Delayed by some hours, because the demo market needs bookings without a sent contract.
    send_from: show.status === "deposit_paid" && show.depositAt ? later(show.depositAt, 20 * hourMs) : null,
    sent_at: show.sentAt ?? null,
    signed_at: signed === "signed" ? (show.signedAt ?? null) : null,
    created_at: later(show.requestedAt, minuteMs),
  };
}

const termsOf = (show: Show, quote: Quote): ContractTerms => ({
  artist: { id: show.artist.row.id, name: show.artist.row.name },
  promoter: { name: show.promoter.name, email: show.promoter.email, phone: show.promoter.phone },
  event: {
    date: show.date,
    time: show.time,
    timeZone: show.artist.row.time_zone,
    durationMinutes: show.minutes,
    type: show.eventType,
    guestCount: show.guests,
    venueName: show.venue,
    venueAddress: show.venue,
    specialRequests: show.specialRequest,
  },
  money: {
    feeCents: quote.fee_cents,
    depositCents: quote.deposit_cents,
    balanceCents: quote.balance_cents,
    depositPercent: quote.deposit_percent,
    commissionBps: quote.commission_bps,
    currency: quote.currency,
  },
  policy,
});
