import { findEarlier, isOutage, logFailure, nextTryAfter, sendDue } from "#gateway/attempts.ts";
import { type PaymentGateway, type Payments, ProviderFailure, type ConvertedAmount } from "#gateway/gateway.ts";
import type { ProviderTransfer } from "#gateway/transfer-gateway.ts";
import { accounts, move, post, postConversion } from "#ledger/index.ts";
import { isUuid, type Reader, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { convertPart, splitOver, totalLeft } from "#platform/money.rules.ts";
import { syncConnectAccount } from "./accounts/accounts.ts";
import { publishPayoutFailed, broadcastPayoutChange } from "./accounts/change-notifications.ts";
import { findCharge, findKnownTransfers } from "./charges.views.ts";
import type { ChargeLeft, PayoutAwaitsAccount, PayoutPaid } from "./payouts.rules.ts";
import {
  changePayout,
  claimTransfer,
  claimWaitingPayouts,
  type ClaimedTransfer,
  findDuePayouts,
  insertTransfer,
  lockDuePayout,
  lockPayout,
  lockTransfers,
  recordCallFailure,
  type Payout,
  payoutIdOf,
  requeueTransfer,
  type Transfer,
  writeConvertedAmount,
  writeTransferMade,
} from "./payouts.store.ts";
import { offsetReversals } from "./reversals/offsets.ts";

const atOnce = 50;

export type LockCharges = (tx: Tx, bookingId: string) => Promise<readonly ChargeLeft[]>;
type RefreshPayment = (gateway: PaymentGateway, providerPayment: string) => Promise<void>;

/** Plans due payouts, and publishes those that wait for the artist's payment account. Each account is fetched first, so a bank change without a webhook still freezes the payout. In an outage of the provider the others wait, because each call would wait for its own timeout. */
export async function planPayouts(services: Payments, lockCharges: LockCharges): Promise<void> {
  const { gateway, database, clock } = services;
  if (!gateway) return;
  await reportWaitingPayouts(services);
  const due = await findDuePayouts(database.db, clock.now(), atOnce);
  const synced = new Set<string>();
  for (const { id, booking_id: bookingId, account, attempts } of due) {
    try {
      if (!synced.has(account)) await syncConnectAccount(services, gateway, account);
      synced.add(account);
      await database.transaction((tx) => planTransfers(tx, { id, bookingId }, clock.now(), lockCharges));
    } catch (error) {
      logFailure(services, error, { payoutId: id }, "a payout could not be planned");
      if (error instanceof ProviderFailure && error.kind === "refused") await refusePayout(services, id, error.message);
      else await delayPayout(services, id, attempts + 1);
      if (isOutage(error)) return;
    }
  }
}

async function reportWaitingPayouts(services: Payments): Promise<void> {
  const { database, clock } = services;
  const count = await database.transaction(async (tx) => {
    const waiting = await claimWaitingPayouts(tx, clock.now(), atOnce);
    for (const { id, booking_id: bookingId, ...state } of waiting)
      await publish(tx, "payout.awaits_account", { payoutId: id, bookingId, ...state } satisfies PayoutAwaitsAccount);
    return waiting.length;
  });
  if (count > 0) services.wake();
}

/** Plans a due payout. One above what is left of the charges requires manual review. Does nothing if it is planned already or blocked. */
async function planTransfers(
  tx: Tx,
  { id, bookingId }: { id: string; bookingId: string },
  now: Date,
  lockCharges: LockCharges,
): Promise<void> {
  const charges = await lockCharges(tx, bookingId);
  const payout = await lockDuePayout(tx, id, now);
  if (!payout) return;
  if (payout.amount > totalLeft(charges))
    return markPayoutStuck(tx, payout, "The payments of this booking are less than the payout.", now);
  await insertTransfers(tx, payout, { charges, now });
  await broadcastPayoutChange(tx, payout);
}

/** Splits the artist's share over the booking's charges by what is left of each, with the largest remainder. */
export async function insertTransfers(
  tx: Tx,
  payout: Payout,
  { charges, account, now }: { charges: readonly ChargeLeft[]; account?: string | null; now: Date },
) {
  for (const { paymentId, providerPayment, share } of splitOver(payout.amount, charges))
    await insertTransfer(tx, { payout, paymentId, providerPayment, amount: share, account: account ?? null, now });
  await changePayout(tx, payout.id, { planned_at: now, stuck_at: null, stuck_reason: null }, now);
}

async function delayPayout({ database, clock }: Payments, id: string, attempts: number): Promise<void> {
  const now = clock.now();
  const fields = { attempts, next_try_at: nextTryAfter(now)(attempts) };
  await database.transaction((tx) => changePayout(tx, id, fields, now));
}

async function refusePayout(services: Payments, id: string, reason: string): Promise<void> {
  const now = services.clock.now();
  await services.database.transaction(async (tx) => {
    const payout = await lockDuePayout(tx, id, now);
    if (payout) await markPayoutStuck(tx, payout, reason, now);
  });
  services.wake();
}

async function markPayoutStuck(tx: Tx, payout: Payout, reason: string, now: Date): Promise<void> {
  await changePayout(tx, payout.id, { stuck_at: now, stuck_reason: reason }, now);
  await broadcastPayoutChange(tx, payout);
  await publishPayoutFailed(tx, "transfer", payout, { reason });
}

export const sendTransfers = (services: Payments, refresh: RefreshPayment): Promise<void> =>
  sendDue(services, {
    claim: claimTransfer,
    send: async (transfer, gateway, notMade) => {
      const reported = await send(services, gateway, transfer, refresh, notMade);
      if (reported) await recordTransfer(services, reported);
      else await services.database.transaction((tx) => requeueTransfer(tx, transfer.id));
    },
    record: async (tx, transfer, failure) => {
      const payout = await lockPayout(tx, transfer.payout_id);
      if (!(await recordCallFailure(tx, "transfers", transfer, failure)) || !failure.refused) return;
      await offsetReversals(tx, payout.id, failure.at);
      await broadcastPayoutChange(tx, payout);
      const left = (await lockTransfers(tx, payout.id)).find(({ id }) => id === transfer.id)?.amount;
      if (left === undefined) return;
      await publishPayoutFailed(tx, "transfer", { ...transfer, amount: left }, { reason: failure.message });
    },
    idsOf: ({ id }) => ({ transferId: id }),
    message: "a transfer was not made",
  });

/** Returns the transfer that the provider made. Undefined if it must not be made now and was not made before. Calls `notMade` once it is known that no earlier call made it. */
async function send(
  services: Payments,
  gateway: PaymentGateway,
  transfer: ClaimedTransfer,
  refresh: RefreshPayment,
  notMade: () => void,
): Promise<ProviderTransfer | undefined> {
  const requireAmount = () => requireConvertedAmount(services, gateway, transfer, refresh);
  // The provider is queried before the first call too, because a restored database lacks the rows of later transfers.
  const lookup = async () => {
    // Another account has no transfers in the booking's group. Only the payment shows whose key it is.
    if (transfer.charge === null) await refresh(gateway, transfer.provider_payment);
    return gateway.findTransfers({ bookingId: transfer.booking_id, charge: transfer.charge });
  };
  const made = await findEarlier(transfer.first, lookup());
  const found = await findMade(services, transfer, made, requireAmount, notMade);
  if (found) return found;
  if (transfer.stranded)
    throw new ProviderFailure(
      "refused",
      "What was reversed is sent again to the owner of the payment account that it came from, who is no longer the artist's. Transfer it to that owner in the provider's dashboard.",
    );
  if (transfer.blocked) return undefined;
  const settled = await requireAmount();
  if (!(await writeConvertedAmount(services.database.db, transfer, settled)))
    throw new ProviderFailure("no_answer", "This transfer was changed before it was sent.");
  return gateway.createTransfer({
    transferId: transfer.id,
    key: transfer.key,
    bookingId: transfer.booking_id,
    destination: transfer.destination,
    charge: transfer.charge,
    ...settled,
  });
}

/** Returns the transfer's amount in the settlement currency. Throws if the settlement is unknown. */
async function requireConvertedAmount(
  services: Payments,
  gateway: PaymentGateway,
  transfer: ClaimedTransfer,
  refresh: RefreshPayment,
): Promise<ConvertedAmount> {
  const { database } = services;
  const known = await convertedAmountOf(database.db, transfer);
  if (!known) await refresh(gateway, transfer.provider_payment);
  const settled = known ?? (await convertedAmountOf(database.db, transfer));
  if (!settled)
    throw new ProviderFailure(
      "no_answer",
      "The payment provider has not reported yet what it received of this payment.",
    );
  return settled;
}

/** Returns the transfer's part of the charge's settlement, at least one minor unit. Undefined while the settlement is unknown. */
async function convertedAmountOf(reader: Reader, transfer: Transfer): Promise<ConvertedAmount | undefined> {
  const { amount, settled_amount: stored, settled_currency: storedCurrency } = transfer;
  if (stored !== null && storedCurrency !== null) return { amount: stored, currency: storedCurrency };
  const charge = await findCharge(reader, transfer.provider_payment);
  if (!charge?.settled_amount || charge.settled_currency === null) return undefined;
  const { settled_currency: currency, currency: charged } = charge;
  if (currency === charged) return { amount, currency };
  return { amount: Math.max(1, convertPart(amount, charge.amount, charge.settled_amount)), currency };
}

/** Returns which of the provider's transfers is this one, by metadata or by amount and account. Throws if some match no row. Calls `notMade` if no earlier call for this row made it. */
async function findMade(
  { database }: Payments,
  transfer: ClaimedTransfer,
  made: readonly ProviderTransfer[],
  requireAmount: () => Promise<ConvertedAmount>,
  notMade: () => void,
): Promise<ProviderTransfer | undefined> {
  const own = made.find((reported) => reported.transferId === transfer.id);
  if (own) return own;
  const known = await findKnownTransfers(database.db, transfer.booking_id);
  const lost = made.filter(
    (one) => one.transferId !== null && !known.has(one.transferId) && !known.has(one.ref) && one.reversed < one.amount,
  );
  if (lost.length === 0) {
    notMade();
    return undefined;
  }
  const { amount, currency } = await requireAmount();
  const { destination } = transfer;
  const same = lost.find(
    (one) =>
      one.amount === amount && one.currency === currency && one.destination === destination && one.reversed === 0,
  );
  if (same) return { ...same, transferId: transfer.id };
  notMade();
  throw new ProviderFailure(
    "refused",
    "The payment provider has transfers for this booking that have no record here. Compare them in the provider's dashboard, and reverse there what is sent again. If they paid this payout, pay nothing more, and record them as paid outside the provider.",
  );
}

export async function recordTransfer(services: Payments, reported: ProviderTransfer): Promise<SyncedTransfer> {
  const result = await services.database.transaction((tx) => syncTransfer(tx, reported, services.clock.now()));
  services.wake();
  return result;
}

/** "second": the transfer was already made with another reference or amount, or paid outside the provider. */
type SyncedTransfer = "done" | "foreign" | "second";

/** Syncs a reported transfer. The last one of a payout marks it paid. The last one of each part publishes that once. */
async function syncTransfer(tx: Tx, reported: ProviderTransfer, now: Date): Promise<SyncedTransfer> {
  const mark = reported.transferId !== null && isUuid(reported.transferId) ? reported.transferId : null;
  const payoutId = await payoutIdOf(tx, { id: mark, ref: reported.ref });
  if (!payoutId) return "foreign";
  const payout = await lockPayout(tx, payoutId);
  const transfers = await lockTransfers(tx, payoutId);
  const transfer =
    transfers.find((one) => one.provider_ref === reported.ref) ?? transfers.find((one) => one.id === mark);
  if (!transfer) return "foreign";
  const settled = (await convertedAmountOf(tx, transfer)) ?? transfer;
  const isOther = settled.amount !== reported.amount || settled.currency !== reported.currency;
  if (isOther || (transfer.provider_ref !== null && transfer.provider_ref !== reported.ref)) return "second";
  if (transfer.paid_outside_at !== null) return "second";
  if (transfer.status === "succeeded") return "done";
  await writeTransferMade(tx, transfer.id, reported, now);
  const of = {
    cause: `transfer:${transfer.id}`,
    bookingId: payout.booking_id,
    paymentId: transfer.payment_id,
    at: now,
  };
  await post(tx, {
    ...of,
    kind: "payout",
    entries: move(transfer.amount, transfer.currency, {
      debit: accounts.artistPayable(payout.artist_id),
      credit: accounts.pspClearing,
    }),
  });
  await postConversion(tx, of, {
    booked: { amount: -transfer.amount, currency: transfer.currency },
    settled: { amount: -reported.amount, currency: reported.currency },
  });
  await broadcastPayoutChange(tx, payout);
  const all = await lockTransfers(tx, payoutId);
  const isMade = ({ status }: Transfer) => status === "succeeded";
  if (all.every(isMade)) await changePayout(tx, payout.id, { paid_at: now }, now);
  const { id, booking_id: bookingId, artist_id: artistId, currency } = payout;
  // What is sent again after the payout is published separately.
  const { returned_dispute_id: disputeId, replaced_reversal_id: reversalId } = transfer;
  const parts = all.filter((one) => one.returned_dispute_id === disputeId && one.replaced_reversal_id === reversalId);
  if (!parts.every(isMade)) return "done";
  const amount = parts.reduce((sum, one) => sum + (one.paid_outside_at === null ? one.amount : 0), 0);
  const isConverted = reported.currency !== currency;
  const sent = { amount: parts.reduce((sum, one) => sum + (one.settled_amount ?? 0), 0), currency: reported.currency };
  const body: PayoutPaid = {
    payoutId: id,
    bookingId,
    artistId,
    amount,
    currency,
    disputeId,
    reversalId,
    ...(isConverted ? { sent } : {}),
  };
  await publish(tx, "payout.paid", body);
  return "done";
}
