import { recordActivity } from "#activity/index.ts";
import { type DisputeChanged, isRealDispute } from "#disputes/rules.ts";
import { type Payments } from "#gateway/gateway.ts";
import { cancelUnsentCharge, requestCardRemoval, expireCheckout, livePayment } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { consentText } from "../rules/consent.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { type Booking, lockBooking, requireLockedBooking } from "../store.ts";
import { type ConsentOrigin, endConsent, findConsent, insertConsent } from "../stores/consent.store.ts";

/** Records the confirmed text, or ends the consent without one. Throws a conflict (409) if it is not this booking's text, or a checkout is already open. */
export async function recordConsent(
  tx: Tx,
  booking: Booking,
  { text, origin, now }: { text: string | undefined; origin: ConsentOrigin; now: Date },
): Promise<void> {
  if (booking.status !== "initiated") return;
  const known = await findConsent(tx, booking.id);
  if (text === known?.text) return;
  if (text === undefined) return void (await endConsent(tx, booking.id, "form", now));
  const dueDay = balanceDueDay(booking.event_date, booking.time_zone, now);
  const terms = { amount: booking.balance_cents, currency: booking.currency, dueDay };
  if (booking.deposit_cents === 0 || booking.balance_cents === 0 || text !== consentText(terms))
    throw conflict("The terms of the automatic payment have changed. Read them again.");
  if ((await livePayment(tx, booking.id, "deposit"))?.requested)
    throw conflict(
      "The payment page of this request is open already, without an automatic payment. Pay there, or release the hold first.",
    );
  await endConsent(tx, booking.id, "form", now);
  await insertConsent(tx, { ...terms, ...origin, bookingId: booking.id, text, now });
}

/** Ends the consent for the promoter. Throws a conflict (409) if the charge was made. Must run outside a transaction, because it waits for a charge in progress. */
export async function withdrawConsent(services: Payments, bookingId: string): Promise<void> {
  const { database, clock } = services;
  for (let again = 0; ; again++) {
    const charge = await database.transaction((tx) => withdraw(tx, bookingId, clock.now()));
    services.wake();
    if (charge === null) return;
    if (again > 0) throw conflict("The saved card is being charged right now.");
    await expireCheckout(services, charge);
  }
}

/** Withdraws under the booking's lock. Returns the payment of a charge whose outcome must be known first. */
async function withdraw(tx: Tx, bookingId: string, now: Date): Promise<string | null> {
  const booking = await requireLockedBooking(tx, bookingId);
  const charge = await cancelUnsentCharge(tx, bookingId, now);
  if (charge === "in_flight") return (await livePayment(tx, bookingId, "balance"))?.id ?? null;
  if (charge === "paid" || booking.balance_paid_at !== null) throw conflict("The balance has just been charged.");
  if (!(await findConsent(tx, bookingId))) throw conflict("There is no automatic payment to withdraw.");
  await endConsent(tx, bookingId, "promoter", now);
  await requestCardRemoval(tx, bookingId, now);
  const message = "The promoter withdrew the consent to the automatic charge of the balance";
  await recordActivity(tx, { type: "payment", refId: bookingId, message });
  await broadcastBookingChange(tx, bookingId);
  return null;
}

/** Stops a reserved charge of a locked booking, ends the consent and requests the removal of the card. */
export async function endAutomaticPayment(tx: Tx, bookingId: string, now: Date): Promise<void> {
  await cancelUnsentCharge(tx, bookingId, now);
  await endConsent(tx, bookingId, "end", now);
  await requestCardRemoval(tx, bookingId, now);
}

/** Ends the automatic payment after a dispute and requests the balance instead. An inquiry ends nothing. */
export async function endAutomaticPaymentByDispute(
  tx: Tx,
  { bookingId, status }: Pick<DisputeChanged, "bookingId" | "status">,
  now: Date,
): Promise<void> {
  if (!bookingId || !isRealDispute(status)) return;
  if (!(await lockBooking(tx, bookingId)) || !(await findConsent(tx, bookingId))) return;
  await endAutomaticPayment(tx, bookingId, now);
  const message =
    "The automatic charge of the balance was canceled, because the payer disputes a payment of this booking";
  await recordActivity(tx, { type: "payment", refId: bookingId, message });
  await broadcastBookingChange(tx, bookingId);
}

/** Handles a saved or removed card. Requests its removal if the booking has no consent or no open balance. */
export async function applyCardSaved(tx: Tx, { bookingId }: { bookingId: string }, now: Date): Promise<void> {
  const booking = await lockBooking(tx, bookingId);
  if (!booking) return;
  const open = booking.status !== "canceled" && booking.balance_paid_at === null;
  if (!open || !(await findConsent(tx, bookingId))) await requestCardRemoval(tx, bookingId, now);
  await broadcastBookingChange(tx, bookingId);
}
