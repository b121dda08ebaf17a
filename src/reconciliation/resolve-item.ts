/** Records or refunds money without a row, for an admin. The provider is queried first. The item's lock and the charge's key make it happen once. */

import {
  type Money,
  type PaymentGateway,
  type Payments,
  ProviderFailure,
  type ProviderPayment,
} from "#gateway/gateway.ts";
import {
  chargeOf,
  endCheckout,
  insertPayment,
  type NewPayment,
  type SyncContext,
  syncContextOf,
  lockLivePayment,
  refundUnmatched,
  syncPayment,
  applyCapturedMoney,
  findItem,
  lockOpenItem,
  resolveItem,
  type UnreconciledItem,
} from "#payments/provider-sync.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { hasPayment, isCheckoutLive } from "./agreed.views.ts";

export type Resolution = Readonly<{ id: string; by: string; reason: string }>;

const checkoutIsLive = "A checkout of this payment is open or paid. Try again when it has ended.";

/** Returns why found money cannot become this payment of a booking now. Null if it can. */
export const reasonNotToAssign = async (reader: Reader, want: Pick<NewPayment, "bookingId" | "kind">) =>
  (await isCheckoutLive(reader, want)) ? checkoutIsLive : null;

const alreadyResolved = () => conflict("This item is already resolved. Reload the list.");

export type FoundMoney = Readonly<{ money: Money; reported: ProviderPayment; context: SyncContext }>;

/** Fetches a listed payment. Throws a conflict (409) if it is another kind, has a row, or differs from the report. */
export async function fetchFoundMoney(services: Payments, id: string): Promise<FoundMoney> {
  const { gateway, database } = services;
  if (!gateway) throw new Problem("unavailable", "No card provider is set up.");
  const item = await findItem(database.db, id);
  if (!item) throw notFound("There is no such item.");
  if (item.resolved_at) throw alreadyResolved();
  if (item.kind !== "payment") throw conflict("This is not a payment that can be applied or refunded.");
  try {
    const reported = await gateway.retrievePayment(item.ref);
    const { money, markedBy, paymentId } = reported;
    const isLost = markedBy === "us" && item.payment_id !== null && item.payment_id === paymentId;
    if (isLost && (await hasPayment(database.db, item.payment_id ?? ""))) throw alreadyResolved();
    if (markedBy !== "nobody" && !isLost)
      throw conflict("This payment was requested by another installation of the platform, which has its record.");
    if (await isRefundedOrDisputed(services, gateway, item))
      throw conflict(
        "A part of this payment was refunded or is disputed at the provider. Resolve it there, and explain it here.",
      );
    if (money && money.amount === item.amount && money.currency === item.currency)
      return { money, reported, context: syncContextOf(services, gateway) };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new Problem("unavailable", `The payment provider did not report the state of this payment: ${error.message}`);
  }
  throw conflict("The provider reports another sum for this payment now.");
}

/** Queries refunds and disputes, because neither reduces the charge's received amount. */
async function isRefundedOrDisputed(services: Payments, gateway: PaymentGateway, item: UnreconciledItem) {
  const refunds = await gateway.findRefunds(item.ref);
  if (refunds.some(({ state }) => state !== "failed")) return true;
  for await (const dispute of gateway.listDisputes({ from: item.occurred_at, to: services.clock.now() }))
    if (dispute.providerPayment === item.ref) return true;
  return false;
}

async function lockItem(tx: Tx, id: string, money: Money): Promise<UnreconciledItem> {
  const item = await lockOpenItem(tx, id);
  if (!item) throw alreadyResolved();
  if (await chargeOf(tx, money.providerPayment)) throw alreadyResolved();
  return item;
}

/** Records found money as the payment `want`. A lost row gets its old id. Throws for another amount or currency, or a live checkout. */
export async function applyFoundMoney(
  tx: Tx,
  { found, want, how }: { found: FoundMoney; want: NewPayment; how: Resolution },
): Promise<void> {
  const { money, reported, context } = found;
  const { now } = context;
  const item = await lockItem(tx, how.id, money);
  if (money.amount !== want.amount || money.currency !== want.currency)
    throw conflict("This booking is not due exactly this sum in this currency.");
  // A checkout or charge that was never sent is no longer needed.
  const unsent = await lockLivePayment(tx, want.bookingId, want.kind);
  if (unsent && (unsent.checkout_state !== "reserved" || unsent.requested_at !== null)) throw conflict(checkoutIsLive);
  if (unsent) await endCheckout(tx, unsent, "The payment was found at the provider.", now);
  const lost = item.payment_id ? { id: item.payment_id, way: reported.mark?.way ?? "checkout" } : undefined;
  await insertPayment(tx, { ...want, ...(lost ? { lost } : {}) });
  const payment = await lockLivePayment(tx, want.bookingId, want.kind);
  if (!payment) throw new Error(`the payment of the booking ${want.bookingId} was not reserved`);
  if (lost) await syncPayment(tx, reported, context);
  else await applyCapturedMoney(tx, money, payment, null, context);
  await resolveItem(tx, item.id, { ...how, resolution: "applied", bookingId: want.bookingId, now });
}

/** Refunds found money in full: posts it as unapplied and plans its refund, once. */
export async function returnFoundMoney(
  tx: Tx,
  { found: { money, context }, how }: { found: FoundMoney; how: Resolution },
): Promise<void> {
  const item = await lockItem(tx, how.id, money);
  await refundUnmatched(tx, money, context);
  await resolveItem(tx, item.id, { ...how, resolution: "returned", now: context.now });
}

export async function recordExplanation(tx: Tx, how: Resolution & { now: Date }): Promise<UnreconciledItem> {
  const item = await lockOpenItem(tx, how.id);
  if (!item) throw alreadyResolved();
  await resolveItem(tx, item.id, { ...how, resolution: "explained" });
  return item;
}
