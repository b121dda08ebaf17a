/** Compares provider and ledger in both directions. Late objects are applied, and the remaining differences are recorded. */
import {
  recordPayment,
  type Payment,
  resolveOtherItems,
  recordDifferences,
  type Reconciliation,
} from "#payments/provider-sync.ts";
import { ledgerBalance } from "#ledger/index.ts";
import { type PaymentGateway, type Payments, ProviderFailure, type Span } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcileDisputes } from "./disputes.ts";
import { madeReversals, paidSince, sentTransfers } from "./agreed.views.ts";
import { type Comparison, fromProvider } from "./from-provider.ts";
import { insertReconciliation } from "./reconciliations.store.ts";

/** Hours that each run looks back. The hourly run covers a three-day outage, the nightly run five weeks. */
const windowHours = { hourly: 80, nightly: 35 * 24, recent: 2 } as const;

const spanOf = (hours: number, now: Date): Span => ({
  from: new Date(now.getTime() - hours * hourMs),
  to: new Date(now.getTime() + 60_000),
});

/** Applies what the provider has had for at most two hours and we lack. What the provider lacks is left to the full comparison. */
export async function reconcileRecent(services: Payments): Promise<void> {
  const { gateway, clock, database } = services;
  if (!gateway) return;
  const now = clock.now();
  const result: Reconciliation = { compared: 0, healed: 0, differences: [] };
  await fromProvider(services, gateway, spanOf(windowHours.recent, now), result);
  if (result.differences.length > 0) await database.transaction((tx) => recordDifferences(tx, result.differences, now));
}

/** Runs one comparison and stores its result. Returns undefined without a provider. */
export async function reconcile(
  services: Payments,
  how: "hourly" | "nightly" = "hourly",
): Promise<Reconciliation | undefined> {
  const { gateway, clock, database, log } = services;
  if (!gateway) return undefined;
  const startedAt = clock.now();
  const span = spanOf(windowHours[how], startedAt);
  const result: Reconciliation = { compared: 0, healed: 0, differences: [] };
  const agreed = await fromProvider(services, gateway, span, result);
  await fromUs(services, gateway, span, { agreed, result });
  await transfersFromUs(services, gateway, span, { agreed, result });
  await reversalsFromUs(services, gateway, span, result);
  await reconcileDisputes(services, gateway, span, result);
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

async function fromUs(services: Payments, gateway: PaymentGateway, span: Span, { agreed, result }: Comparison) {
  const paid = await paidSince(services.database.db, gateway, span.from);
  for (const payment of paid) {
    result.compared += 1;
    if (agreed.has(payment.provider_payment ?? "")) continue;
    const what = await compare(services, gateway, payment);
    const { provider_payment: ref, amount, currency, payment_date: occurredAt } = payment;
    if (what && ref && occurredAt) result.differences.push({ kind: "money", what, ref, amount, currency, occurredAt });
  }
}

/** Finds recorded transfers that the provider lacks or made with another amount. */
async function transfersFromUs(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  { agreed, result }: Comparison,
): Promise<void> {
  const sent = await sentTransfers(services.database.db, span.from);
  for (const { id, provider_ref: ref, amount, currency, sent_at } of sent) {
    const of = { kind: "transfer", ref: ref ?? id, amount, currency, occurredAt: sent_at ?? span.to } as const;
    result.compared += 1;
    if (agreed.has(ref ?? "")) continue;
    const reported = await found(() => gateway.retrieveTransfer(ref ?? ""));
    if (!reported) result.differences.push({ ...of, what: "the provider does not know this transfer" });
    else if (reported.amount !== amount || reported.currency !== currency)
      result.differences.push({ ...of, what: "the provider transferred another sum" });
  }
}

/** Finds recorded reversals that the provider lacks or made with another amount. */
async function reversalsFromUs(services: Payments, gateway: PaymentGateway, span: Span, result: Reconciliation) {
  const made = await madeReversals(services.database.db, span.from);
  for (const { id, provider_ref: ref, amount, currency, updated_at: occurredAt, transfer } of made) {
    result.compared += 1;
    const reported = await found(() => gateway.findReversals(transfer ?? ""));
    const same = reported?.find((one) => one.ref === ref);
    if (same?.amount === amount) continue;
    const what = same ? "the provider reversed another sum" : "the provider does not know this reversal";
    result.differences.push({ kind: "reversal", what, ref: ref ?? id, amount, currency, occurredAt });
  }
}

async function found<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "missing") return undefined;
    throw error;
  }
}

type Compared = Pick<Payment, "provider_payment" | "amount" | "currency">;

async function compare(services: Payments, gateway: PaymentGateway, payment: Compared): Promise<string | undefined> {
  try {
    const reported = await gateway.retrievePayment(payment.provider_payment ?? "");
    if (!reported.money) return "the ledger has money that the provider did not receive";
    if (reported.money.amount !== payment.amount || reported.money.currency !== payment.currency)
      return "the provider received another sum";
    await recordPayment(services, gateway, reported);
    return undefined;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "missing") return "the provider does not know this payment";
    throw error;
  }
}
