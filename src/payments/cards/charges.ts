import { logFailure, requiresProviderLookup, sendDue } from "#gateway/attempts.ts";
import { type PaymentGateway, type Payments, ProviderFailure, type ProviderPayment } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { endCheckout, lockPayment, recordDecline, type Payment } from "../store.ts";
import { acquireLease } from "../stores/checkout.store.ts";
import { hasLostPayment } from "../stores/unreconciled.store.ts";
import { recordEnd, recordPayment } from "../sync/record.ts";
import {
  type ChargedCard,
  claimCharge,
  type ClaimedCharge,
  lockCharge,
  recordOpenCharge,
  requeueCharge,
} from "./charges.store.ts";

/** Longer than one lookup and one call with its repeats (a minute each). */
const leaseSeconds = 150;

const chargedCardOf = (payment: Payment) => payment.request_params as ChargedCard;

export const chargeSavedCards = (services: Payments): Promise<void> =>
  sendDue(services, {
    claim: (tx, now, nextTry) => claimCharge(tx, { now, seconds: leaseSeconds, nextTry }),
    send: async (charge, gateway) => {
      const { database, clock } = services;
      const needsLookup = requiresProviderLookup(charge, clock.now());
      if (charge.requested_at === null && (await hasLostCharge(services, gateway, charge)))
        return database.transaction((tx) => requeueCharge(tx, charge.id));
      await recordPayment(services, gateway, await send(gateway, charge, needsLookup));
      return database.transaction((tx) => recordOpenCharge(tx, charge.id));
    },
    record: (tx, { id }, failure) =>
      failure.refused ? refuse(tx, id, failure.message, failure.at) : recordOpenCharge(tx, id, failure),
    idsOf: ({ id }) => ({ paymentId: id }),
    message: "a saved card was not charged",
  });

/** Returns true if the card already paid this in a charge without a row, as after a database restore. An admin resolves it. */
async function hasLostCharge(services: Payments, gateway: PaymentGateway, charge: Payment): Promise<boolean> {
  const made = await gateway.findCharges({ customer: chargedCardOf(charge).customer });
  for (const reported of made) {
    const { paymentId, mark } = reported;
    if (reported.state !== "paid" || paymentId === null || paymentId === charge.id || mark?.kind !== charge.kind)
      continue;
    await recordPayment(services, gateway, reported);
  }
  return hasLostPayment(services.database.db, { bookingId: charge.booking_id, kind: charge.kind });
}

async function send(gateway: PaymentGateway, charge: ClaimedCharge, look: boolean): Promise<ProviderPayment> {
  const { customer, method, bookingNumber } = chargedCardOf(charge);
  const known = charge.provider_ref !== null || look ? await find(gateway, charge) : undefined;
  if (known) return known;
  const { id: paymentId, key, booking_id: bookingId, kind, amount, currency, title } = charge;
  // A charge that an earlier version prepared has no number. Its repeat must send exactly the same.
  const named = bookingNumber ? { bookingNumber, payerName: charge.payer_name, payerEmail: charge.payer_email } : {};
  return gateway.chargeCard({ paymentId, key, bookingId, kind, amount, currency, title, customer, method, ...named });
}

/** Returns the charge at the provider, by reference or metadata. A paid charge takes precedence over a pending or declined one. */
async function find(gateway: PaymentGateway, charge: Payment): Promise<ProviderPayment | undefined> {
  if (charge.provider_ref !== null) return gateway.retrievePayment(charge.provider_ref);
  const { customer } = chargedCardOf(charge);
  const found = (await gateway.findCharges({ customer })).filter(({ paymentId }) => paymentId === charge.id);
  return found.find(({ state }) => state === "paid") ?? found.find(({ state }) => state === "pending") ?? found[0];
}

async function refuse(tx: Tx, paymentId: string, reason: string, now: Date): Promise<void> {
  const payment = await lockPayment(tx, paymentId);
  if (payment?.checkout_state !== "reserved") return;
  await recordDecline(tx, payment, { reason }, now);
  await endCheckout(tx, payment, reason, now);
}

/** Ends an unsent charge in the caller's transaction. "in_flight": it was sent, so the caller must run `applyChargeResult`. */
export async function cancelUnsentCharge(
  tx: Tx,
  bookingId: string,
  now: Date,
): Promise<"none" | "called_off" | "in_flight" | "paid"> {
  const charge = await lockCharge(tx, bookingId);
  if (!charge) return "none";
  if (charge.checkout_state === "paid") return "paid";
  if (charge.requested_at !== null) return "in_flight";
  await endCheckout(tx, charge, "The charge was canceled before the card was charged.", now);
  return "called_off";
}

/** Ends a charge: canceled if unsent, else with the provider's state. Never call it in a transaction. Throws a conflict (409) while it is open. */
export async function applyChargeResult(services: Payments, gateway: PaymentGateway, paymentId: string): Promise<void> {
  const { database, clock } = services;
  const charge = await database.transaction(async (tx) => {
    const locked = await lockPayment(tx, paymentId);
    if (locked?.checkout_state !== "reserved") return undefined;
    if (locked.requested_at === null) {
      await endCheckout(tx, locked, "The charge was canceled before the card was charged.", clock.now());
      return undefined;
    }
    if (!(await acquireLease(tx, paymentId, leaseSeconds))) throw beingCharged();
    return locked;
  });
  services.wake();
  if (!charge) return;
  try {
    const found = await find(gateway, charge);
    if (!found) return await recordEnd(services, charge, "The provider has no charge for this payment.");
    await recordPayment(services, gateway, found.state === "pending" ? await gateway.cancelCharge(found.ref) : found);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(services, error, { paymentId }, "the charge of a saved card could not be confirmed");
    throw new Problem("unavailable", "The charge of the saved card is not confirmed yet. Reload the page in a minute.");
  } finally {
    await database.transaction((tx) => recordOpenCharge(tx, paymentId));
  }
  const after = await database.transaction((tx) => lockPayment(tx, paymentId));
  if (after?.checkout_state === "reserved") throw beingCharged();
}

const beingCharged = () => conflict("The saved card is being charged right now. Reload the page in a minute.");
