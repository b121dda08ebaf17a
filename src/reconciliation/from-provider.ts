import {
  chargeOf,
  recordCheckout,
  recordPayment,
  syncRefund,
  type SyncResult,
  type Reconciliation,
  unmatchedDifferences,
} from "#payments/provider-sync.ts";
import type { PaymentGateway, Payments, ProviderCheckout, ProviderPayment, Span } from "#gateway/gateway.ts";
import { syncReversal, recordTransfer } from "#payouts/index.ts";
import type { ProviderTransfer } from "#gateway/transfer-gateway.ts";
import { agreedPayments, agreedRefunds, agreedTransfers, refundStatus, transferStatus } from "./agreed.views.ts";

const atOnce = 500;

export type Agreed = Set<string>;

/** Applies what the provider has and we lack, as after lost webhooks. Differences are recorded. Returns what both sides agree on. */
export async function fromProvider(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<Agreed> {
  const agreed: Agreed = new Set();
  const to = { agreed, result };
  await paymentsFromProvider(services, gateway, gateway.listCheckouts(span), to, (reported) =>
    recordCheckout(services, gateway, reported),
  );
  await paymentsFromProvider(services, gateway, gateway.listCharges(span), to, (reported) =>
    recordPayment(services, gateway, reported),
  );
  await refundsFromProvider(services, gateway, span, result);
  await transfersFromProvider(services, gateway, span, { agreed, result });
  services.wake();
  return agreed;
}

export type Comparison = { agreed: Agreed; result: Reconciliation };

async function paymentsFromProvider<T extends ProviderCheckout | ProviderPayment>(
  services: Payments,
  gateway: PaymentGateway,
  listed: AsyncIterable<T>,
  { agreed, result }: Comparison,
  sync: (reported: T) => Promise<SyncResult>,
): Promise<void> {
  for await (const some of inBatches(listed, atOnce)) {
    const same = await agreedPayments(services.database.db, some, gateway);
    for (const reported of some) {
      if (!reported.paymentId) {
        if (reported.markedBy === "nobody" && "createdAt" in reported) recordForeignPayment(reported, result);
        continue;
      }
      result.compared += 1;
      if (reported.money && same.has(reported.money.providerPayment)) {
        agreed.add(reported.money.providerPayment);
        continue;
      }
      const before = reported.money
        ? (await chargeOf(services.database.db, reported.money.providerPayment)) !== undefined
        : true;
      countSynced(await sync(reported), before, reported, result);
    }
  }
}

/** Counts applied objects. Money without a row is a difference instead. */
function countSynced(
  outcome: SyncResult,
  before: boolean,
  reported: ProviderCheckout | ProviderPayment,
  result: Reconciliation,
): void {
  if (outcome === "unmatched") result.differences.push(...unmatchedDifferences(reported));
  else if (!before) result.healed += 1;
}

async function refundsFromProvider(
  { database, clock }: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<void> {
  for await (const some of inBatches(gateway.listRefunds(span), atOnce)) {
    const same = await agreedRefunds(database.db, some);
    for (const reported of some) {
      result.compared += 1;
      if (same.has(reported.ref)) continue;
      const known = await refundStatus(database.db, reported.ref);
      const outcome = await database.transaction((tx) => syncRefund(tx, reported, clock.now()));
      if (outcome === "paid_twice") {
        const { ref, amount, currency, createdAt: occurredAt } = reported;
        const what = "the provider made a refund that was paid outside it as well";
        result.differences.push({ kind: "money", what, ref, amount, currency, occurredAt });
      }
      if (outcome === "done" && known !== "succeeded" && reported.state === "succeeded") result.healed += 1;
    }
  }
}

async function transfersFromProvider(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  { agreed, result }: Comparison,
): Promise<void> {
  for await (const some of inBatches(gateway.listTransfers(span), atOnce)) {
    const same = await agreedTransfers(services.database.db, some);
    for (const reported of some) {
      if (!reported.transferId) continue;
      result.compared += 1;
      if (same.has(reported.ref)) agreed.add(reported.ref);
      else await compareTransfer(services, gateway, reported, result);
    }
  }
}

async function compareTransfer(
  services: Payments,
  gateway: PaymentGateway,
  reported: ProviderTransfer,
  result: Reconciliation,
): Promise<void> {
  const { database, clock } = services;
  const { amount, currency, createdAt: occurredAt, ref } = reported;
  const of = { amount, currency, occurredAt, ref };
  const known = await transferStatus(database.db, ref);
  const outcome = await recordTransfer(services, reported);
  if (outcome === "done" && known !== "succeeded") result.healed += 1;
  if (outcome === "second")
    result.differences.push({
      ...of,
      kind: "transfer",
      what: "the provider made a transfer twice, or with another sum",
    });
  if (outcome === "foreign")
    result.differences.push({ ...of, kind: "transfer", what: "the provider made a transfer that we do not know" });
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
