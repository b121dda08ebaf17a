import { livePayment, reserveCharge, savedCardOf } from "#payments/index.ts";
import { cardLabel } from "#payments/rules.ts";
import { hasOpenOrLostDispute } from "#payouts/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { dayIn, timeIn } from "#platform/time/calendar.rules.ts";
import type { BookingPage } from "../booking.api.ts";
import type { EmailContext } from "../emails/email-context.ts";
import { chargeMoment } from "../rules/money/balance-plan.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import type { Booking } from "../store.ts";
import { type BalanceSchedule, findSchedule } from "../stores/balance.store.ts";
import { type BalanceConsent, findConsent, recordConsentCharge } from "../stores/consent.store.ts";
import { findOpenProposal } from "../stores/force-majeure.store.ts";
import type { Reading } from "../views.ts";

export type AutomaticPayment = Readonly<{
  consent: BalanceConsent;
  card: NonNullable<Awaited<ReturnType<typeof savedCardOf>>>;
}>;

/** Returns the planned charge, on the first due date. Undefined after an attempt or a request to pay, with an open or lost dispute, and while an end by agreement is proposed. */
export async function automaticPaymentOf(
  reader: Reader,
  booking: Booking,
  schedule: BalanceSchedule | undefined,
): Promise<AutomaticPayment | undefined> {
  if (booking.status === "canceled" || booking.balance_paid_at !== null) return undefined;
  if (schedule && (schedule.round > 0 || isRequested(schedule))) return undefined;
  const consent = await findConsent(reader, booking.id);
  if (!consent || consent.charge_id !== null) return undefined;
  if (consent.amount_cents !== booking.balance_cents || consent.currency !== booking.currency) return undefined;
  const card = await savedCardOf(reader, booking.id);
  if (!card || (await hasOpenOrLostDispute(reader, booking.id))) return undefined;
  return (await findOpenProposal(reader, booking.id)) ? undefined : { consent, card };
}

const isRequested = ({ last_step: last }: BalanceSchedule) => last !== null && last !== "reminder";

/** Returns the time of the charge, or null if it follows both signatures immediately. */
export function plannedChargeAt(booking: Booking, schedule: BalanceSchedule | undefined, now: Date): Date | null {
  const day = schedule ? schedule.due_day : balanceDueDay(booking.event_date, booking.time_zone, now);
  return day === null ? null : chargeMoment(booking.time_zone, day);
}

/** Returns the planned or current charge for the promoter and admins. The artist gets null, because the card is private to the payer. */
export async function automaticPaymentForPage(
  reader: Reader,
  booking: Booking,
  { relation, now }: Pick<Reading, "relation" | "now">,
): Promise<BookingPage["automatic_payment"]> {
  if (!relation.promoter && !relation.admin) return null;
  const schedule = await findSchedule(reader, booking.id);
  const planned = await automaticPaymentOf(reader, booking, schedule);
  const found = planned ?? (await pendingCharge(reader, booking));
  if (!found) return null;
  const { consent, card } = found;
  const at = plannedChargeAt(booking, schedule, now);
  return {
    state: planned ? "planned" : "charging",
    amount_cents: consent.amount_cents,
    card: cardLabel(card),
    card_ends: `${String(card.exp_month).padStart(2, "0")}/${card.exp_year}`,
    charge: at && { day: dayIn(booking.time_zone, at), time: timeIn(booking.time_zone, at) },
    can_withdraw: relation.promoter && planned !== undefined,
  };
}

export async function plannedChargeForEmail(
  reader: Reader,
  booking: Booking,
  now: Date,
): Promise<{ card: string; day: string | null } | null> {
  const schedule = await findSchedule(reader, booking.id);
  const planned = await automaticPaymentOf(reader, booking, schedule);
  if (!planned) return null;
  const at = plannedChargeAt(booking, schedule, now);
  return { card: cardLabel(planned.card), day: at && dayIn(booking.time_zone, at) };
}

async function pendingCharge(reader: Reader, booking: Booking): Promise<AutomaticPayment | undefined> {
  const consent = await findConsent(reader, booking.id);
  const card = await savedCardOf(reader, booking.id);
  if (!consent?.charge_id || !card) return undefined;
  const live = await livePayment(reader, booking.id, "balance");
  return live?.id === consent.charge_id && live.checkoutState === "reserved" ? { consent, card } : undefined;
}

/** Reserves the charge of a locked booking's balance for the payments job. Returns "busy" if a checkout or charge is open. */
export async function startCharge(
  tx: Tx,
  { booking, artist }: EmailContext,
  { consent, card }: AutomaticPayment,
  now: Date,
): Promise<"started" | "busy"> {
  if (await livePayment(tx, booking.id, "balance")) return "busy";
  const paymentId = await reserveCharge(tx, {
    bookingId: booking.id,
    bookingNumber: booking.number,
    amount: consent.amount_cents,
    currency: consent.currency,
    title: `Balance for ${artist.name}`,
    payerEmail: booking.promoter_email,
    payerName: booking.promoter_name,
    card,
    now,
  });
  if (!paymentId) return "busy";
  await recordConsentCharge(tx, consent.id, paymentId);
  return "started";
}
