import { recordDispute, fetchDispute, disputeStatuses, openDisputes } from "#disputes/index.ts";
import { type PaymentGateway, type Payments, type ProviderPayment, unlessMissing } from "#gateway/gateway.ts";
import { ledgerBalance } from "#ledger/index.ts";
import { recordPayment, resolveOtherItems, recordDifferences } from "#payments/provider-sync.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { madeReversals, paidSince, sentTransfers } from "./agreed.views.ts";
import { applyMissingState, compareOne, type Comparison } from "./missing-state.ts";
import { insertReconciliation } from "./reconciliations.store.ts";

/** Hours that each run looks back. The hourly run covers a three-day outage, the nightly run five weeks. */
const windowHours = { hourly: 80, nightly: 35 * 24, recent: 2 } as const;

function newComparison(services: Payments, gateway: PaymentGateway, hours: number): Comparison {
  const now = services.clock.now().getTime();
  return {
    services,
    gateway,
    span: { from: new Date(now - hours * hourMs), to: new Date(now + 60_000) },
    agreed: new Set(),
    result: { compared: 0, healed: 0, differences: [] },
  };
}

/** Applies what the provider has had for at most two hours and we lack. What the provider lacks is left to the full comparison. */
export async function reconcileRecent(services: Payments): Promise<void> {
  const { gateway, clock, database } = services;
  if (!gateway) return;
  const startedAt = clock.now();
  const comparison = newComparison(services, gateway, windowHours.recent);
  try {
    await applyMissingState(comparison);
  } finally {
    await database.transaction((tx) => recordDifferences(tx, comparison.result.differences, startedAt));
  }
}

/** Runs one comparison and stores its result. Returns undefined without a provider. */
export async function reconcile(services: Payments, how: "hourly" | "nightly" = "hourly") {
  const { gateway, clock, database, log } = services;
  if (!gateway) return undefined;
  const startedAt = clock.now();
  const comparison = newComparison(services, gateway, windowHours[how]);
  const { span, result } = comparison;
  await compareAll(comparison).catch(async (error: unknown) => {
    await database.transaction((tx) => recordDifferences(tx, result.differences, startedAt));
    throw error;
  });
  for (const { currency, amount } of await ledgerBalance(database.db, "suspense"))
    if (amount !== 0)
      result.differences.push({
        kind: "suspense",
        what: "money is in suspense that is neither applied nor being refunded",
        ref: `suspense ${currency}`,
        amount: Math.abs(amount),
        currency,
        occurredAt: startedAt,
      });
  await database.transaction(async (tx) => {
    await recordDifferences(tx, result.differences, startedAt);
    await resolveOtherItems(tx, result.differences, { from: span.from, now: startedAt });
    await insertReconciliation(tx, { ...result, startedAt, finishedAt: clock.now() });
  });
  if (result.differences.length > 0) log.error({ differences: result.differences }, "provider and ledger differ");
  return result;
}

async function compareAll(comparison: Comparison): Promise<void> {
  await applyMissingState(comparison);
  await paymentsFromUs(comparison);
  await transfersFromUs(comparison);
  await reversalsFromUs(comparison);
  await reconcileDisputes(comparison);
}

/** Finds recorded payments that the provider lacks or received with another amount. */
async function paymentsFromUs(comparison: Comparison): Promise<void> {
  const { services, gateway, span, agreed, result } = comparison;
  for (const { ref, ...payment } of await paidSince(services.database.db, gateway, span.from)) {
    result.compared += 1;
    if (agreed.has(ref) || result.differences.some((listed) => listed.ref === ref)) continue;
    const of = { kind: "money", ref, ...payment } as const;
    await compareOne(comparison, of, async () => {
      const reported = await unlessMissing(gateway.retrievePayment(ref));
      const what = faultOf(reported, payment);
      if (what) result.differences.push({ ...of, what });
      else if (reported) await recordPayment(services, gateway, reported);
    });
  }
}

function faultOf(reported: ProviderPayment | undefined, { amount, currency }: { amount: number; currency: string }) {
  if (!reported) return "the provider does not know this payment";
  if (!reported.money) return "the ledger has money that the provider did not receive";
  const { money } = reported;
  return money.amount === amount && money.currency === currency ? undefined : "the provider received another sum";
}

async function transfersFromUs(comparison: Comparison): Promise<void> {
  const { services, gateway, span, agreed, result } = comparison;
  for (const { id, provider_ref: ref, amount, currency, sent_at } of await sentTransfers(
    services.database.db,
    span.from,
  )) {
    const of = { kind: "transfer", ref: ref ?? id, amount, currency, occurredAt: sent_at ?? span.to } as const;
    result.compared += 1;
    if (agreed.has(ref ?? "")) continue;
    await compareOne(comparison, of, async () => {
      const reported = await unlessMissing(gateway.retrieveTransfer(ref ?? ""));
      if (!reported) result.differences.push({ ...of, what: "the provider does not know this transfer" });
      else if (reported.amount !== amount || reported.currency !== currency)
        result.differences.push({ ...of, what: "the provider transferred another sum" });
    });
  }
}

async function reversalsFromUs(comparison: Comparison): Promise<void> {
  const { services, gateway, span, result } = comparison;
  const made = await madeReversals(services.database.db, span.from);
  for (const { id, provider_ref: ref, amount, currency, updated_at: occurredAt, transfer } of made) {
    const of = { kind: "reversal", ref: ref ?? id, amount, currency, occurredAt } as const;
    result.compared += 1;
    await compareOne(comparison, of, async () => {
      const reported = await unlessMissing(gateway.findReversals(transfer ?? ""));
      const same = reported?.find((one) => one.ref === ref);
      if (same?.amount === amount) return;
      const what = same ? "the provider reversed another sum" : "the provider does not know this reversal";
      result.differences.push({ ...of, what });
    });
  }
}

/** Compares disputes: those that the provider opened, and those that are open here, regardless of age. */
async function reconcileDisputes(comparison: Comparison): Promise<void> {
  const { services, gateway, span, result } = comparison;
  const { db } = services.database;
  const before = await disputeStatuses(db);
  const seen = new Set<string>();
  for await (const reported of gateway.listDisputes(span)) {
    const { ref, amount, currency, createdAt: occurredAt } = reported;
    seen.add(ref);
    await compareOne(comparison, { kind: "dispute", ref, amount, currency, occurredAt }, async () => {
      if ((await recordDispute(services, gateway, reported)) === "done") result.compared += 1;
    });
  }
  for (const { provider_ref: ref, amount, currency, opened_at: occurredAt } of await openDisputes(db)) {
    if (seen.has(ref)) continue;
    result.compared += 1;
    const of = { kind: "dispute", ref, amount, currency, occurredAt } as const;
    await compareOne(comparison, of, async () => {
      const synced = await unlessMissing(fetchDispute(services, gateway, ref));
      if (!synced) result.differences.push({ ...of, what: "the provider does not know this dispute" });
    });
  }
  for (const [ref, status] of await disputeStatuses(db)) if (before.get(ref) !== status) result.healed += 1;
}
