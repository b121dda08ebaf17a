import { isCausedByObject } from "#gateway/attempts.ts";
import type {
  PaymentGateway,
  Payments,
  ProviderCheckout,
  ProviderPayment,
  ProviderRefund,
  Span,
} from "#gateway/gateway.ts";
import type { ProviderTransfer } from "#gateway/transfer-gateway.ts";
import {
  chargeOf,
  type FoundDifference,
  recordCheckout,
  recordPayment,
  syncRefund,
  type SyncResult,
  type Reconciliation,
  unmatchedDifferences,
} from "#payments/provider-sync.ts";
import { syncReversal, recordTransfer } from "#payouts/index.ts";
import { agreedPayments, agreedRefunds, agreedTransfers, hasPayment, storedRow } from "./agreed.views.ts";

const atOnce = 500;

/** One run. `agreed`: the provider's references of what is the same on both sides. `result` counts and lists the rest. */
export type Comparison = Readonly<{
  services: Payments;
  gateway: PaymentGateway;
  span: Span;
  agreed: Set<string>;
  result: Reconciliation;
}>;

/** Applies what the provider has and we lack, as after lost webhooks. Differences are recorded. */
export async function applyMissingState(comparison: Comparison): Promise<void> {
  const { services, gateway, span } = comparison;
  await paymentsFromProvider(comparison, gateway.listCheckouts(span), (reported) =>
    recordCheckout(services, gateway, reported),
  );
  await paymentsFromProvider(comparison, gateway.listCharges(span), (reported) =>
    recordPayment(services, gateway, reported),
  );
  await refundsFromProvider(comparison);
  await transfersFromProvider(comparison);
  services.wake();
}

/** Syncs one object. A faulty one is listed for an admin, and the others are synced. Throws while the provider cannot be reached or rejects our key, and if the database fails. */
export async function compareOne(
  { services, result }: Comparison,
  of: Omit<FoundDifference, "what">,
  compare: () => Promise<void>,
): Promise<void> {
  try {
    await compare();
  } catch (error) {
    if (!isCausedByObject(error)) throw error;
    services.log.error({ err: error, ref: of.ref }, "an object of the provider could not be compared");
    result.differences.push({ ...of, what: "it could not be compared with the ledger (the log has the reason)" });
  }
}

async function paymentsFromProvider<T extends ProviderCheckout | ProviderPayment>(
  comparison: Comparison,
  listed: AsyncIterable<T>,
  sync: (reported: T) => Promise<SyncResult>,
): Promise<void> {
  const { services, gateway, agreed, result, span } = comparison;
  const { db } = services.database;
  for await (const some of inBatches(listed, atOnce)) {
    const same = await agreedPayments(db, some, gateway);
    for (const reported of some) {
      const { paymentId, money } = reported;
      if (!paymentId) {
        if (reported.markedBy === "nobody" && "createdAt" in reported) recordForeignPayment(reported, result);
        continue;
      }
      result.compared += 1;
      if (money && same.has(money.providerPayment)) {
        agreed.add(money.providerPayment);
        continue;
      }
      const ref = money?.providerPayment ?? reported.ref;
      const of = { kind: "money", ref, occurredAt: money?.at ?? span.to } as const;
      await compareOne(comparison, of, async () => {
        const isNew = money !== null && !(await chargeOf(db, money.providerPayment));
        const lost = isNew ? unmatchedDifferences(reported) : [];
        if (lost.length > 0 && !(await hasPayment(db, paymentId))) result.differences.push(...lost);
        else if ((await sync(reported)) !== "unmatched" && isNew) result.healed += 1;
      });
    }
  }
}

async function refundsFromProvider(comparison: Comparison): Promise<void> {
  const { services, gateway, span, result } = comparison;
  const { database } = services;
  for await (const some of inBatches(gateway.listRefunds(span), atOnce)) {
    const same = await agreedRefunds(database.db, some);
    for (const reported of some.toReversed()) {
      result.compared += 1;
      if (same.has(reported.ref)) continue;
      const { ref, amount, currency, createdAt: occurredAt } = reported;
      const of = { kind: "money", ref, amount, currency, occurredAt } as const;
      await compareOne(comparison, of, () => compareRefund(comparison, reported, of));
    }
  }
}

async function compareRefund(
  { services, gateway, result }: Comparison,
  reported: ProviderRefund,
  of: Omit<FoundDifference, "what">,
): Promise<void> {
  const { database, clock } = services;
  const { ref, providerPayment, state } = reported;
  const known = (await storedRow(database.db, "refunds", ref))?.status;
  const isNew = known === undefined && state !== "failed" && providerPayment !== null;
  // The span may lack an earlier refund that the new one replaces.
  const made =
    isNew && (await chargeOf(database.db, providerPayment)) ? await gateway.findRefunds(providerPayment) : [];
  const earlier = made.slice(made.findIndex((one) => one.ref === ref) + 1).toReversed();
  const outcome = await database.transaction(async (tx) => {
    for (const one of earlier) await syncRefund(tx, one, clock.now());
    return syncRefund(tx, reported, clock.now());
  });
  const what = "the provider made a refund that was already paid outside it, or by a lost dispute";
  if (outcome === "paid_twice") result.differences.push({ ...of, what });
  const booked = outcome === "done" && state === "succeeded" ? await storedRow(database.db, "refunds", ref) : undefined;
  if (booked?.status === "succeeded" && booked.amount !== reported.amount)
    result.differences.push({ ...of, what: "the provider refunded another sum" });
  if (outcome === "done" && known !== "succeeded" && state === "succeeded") result.healed += 1;
}

async function transfersFromProvider(comparison: Comparison): Promise<void> {
  const { services, gateway, span, agreed, result } = comparison;
  for await (const some of inBatches(gateway.listTransfers(span), atOnce)) {
    const same = await agreedTransfers(services.database.db, some);
    for (const reported of some) {
      if (!reported.transferId) continue;
      result.compared += 1;
      if (same.has(reported.ref)) agreed.add(reported.ref);
      else {
        const { amount, currency, createdAt: occurredAt, ref } = reported;
        const of = { kind: "transfer", amount, currency, occurredAt, ref } as const;
        await compareOne(comparison, of, () => compareTransfer(comparison, reported, of));
      }
    }
  }
}

async function compareTransfer(
  { services, gateway, result }: Comparison,
  reported: ProviderTransfer,
  of: Omit<FoundDifference, "what">,
): Promise<void> {
  const { database, clock } = services;
  const { ref } = reported;
  const known = (await storedRow(database.db, "transfers", ref))?.status;
  const outcome = await recordTransfer(services, reported);
  if (outcome === "done" && known !== "succeeded") result.healed += 1;
  if (outcome === "second")
    result.differences.push({
      ...of,
      what: "the provider made a transfer twice, with another sum, or although it was paid outside it",
    });
  if (outcome === "foreign")
    result.differences.push({ ...of, what: "the provider made a transfer that we do not know" });
  for (const reversal of await gateway.findReversals(ref)) {
    result.compared += 1;
    const synced = await database.transaction((tx) => syncReversal(tx, reversal, clock.now()));
    const what = "the provider reversed a transfer that we do not know";
    if (synced === "foreign")
      result.differences.push({ ...of, kind: "reversal", what, ref: reversal.ref, amount: reversal.amount });
  }
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Lists money of an unmarked checkout for an admin. Money of another installation is not listed. */
function recordForeignPayment({ money, createdAt: occurredAt }: ProviderCheckout, result: Reconciliation): void {
  if (!money) return;
  result.compared += 1;
  // The time of creation, by which checkouts are listed, decides which comparisons still find this one.
  const { providerPayment: ref, amount, currency } = money;
  const what = "the provider received a payment that was not requested here";
  result.differences.push({ kind: "payment", what, ref, amount, currency, occurredAt });
}
