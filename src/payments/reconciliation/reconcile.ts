/** Compares provider and ledger in both directions. What is only late is healed; what cannot be explained is written down. */
import { syncContextOf, recordCheckout } from "../checkout/checkout.ts";
import { syncPayment } from "../sync/sync.ts";
import { type PaymentGateway, type Payments, ProviderFailure, type Span } from "../gateway.ts";
import { syncReversal } from "../payouts/reversals.ts";
import { recordTransfer } from "../payouts/transfers.ts";
import { syncRefund } from "../refunds/refunds.ts";
import type { Payment } from "../store.ts";
import { ledgerBalance } from "../views.ts";
import { type Reconciliation, insertReconciliation } from "./reconciliations.store.ts";

/** How far back each run looks; every event of a three-day outage is still in sight. */
const windowHours = 80;

/** Runs one comparison and stores its result. Without a provider there is nothing to compare. */
export async function reconcile(services: Payments): Promise<Reconciliation | undefined> {
  const { gateway, clock, database, log } = services;
  if (!gateway) return undefined;
  const startedAt = clock.now();
  const span = {
    from: new Date(startedAt.getTime() - windowHours * 3_600_000),
    to: new Date(startedAt.getTime() + 60_000),
  };
  const result: Reconciliation = { compared: 0, healed: 0, differences: [] };
  await fromProvider(services, gateway, span, result);
  await fromUs(services, gateway, span, result);
  await transfersFromUs(services, gateway, span, result);
  for (const { currency, balance } of await ledgerBalance(database.db, "suspense")) {
    if (balance !== 0) result.differences.push({ what: `suspense holds ${balance} ${currency}`, ref: "suspense" });
  }
  await database.transaction((tx) => insertReconciliation(tx, { ...result, startedAt, finishedAt: clock.now() }));
  if (result.differences.length > 0) log.error({ differences: result.differences }, "provider and ledger differ");
  return result;
}

/** What the provider has and we lack: webhooks that were lost. */
async function fromProvider(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<void> {
  const { database, clock } = services;
  for await (const reported of gateway.listCheckouts(span)) {
    if (!reported.paymentId) continue;
    result.compared += 1;
    const before = reported.money ? await isKnown(services, reported.money.providerPayment) : true;
    await recordCheckout(services, gateway, reported);
    if (!before) result.healed += 1;
  }
  for await (const reported of gateway.listRefunds(span)) {
    result.compared += 1;
    const known = await database.db
      .selectFrom("refunds")
      .select("status")
      .where("provider_ref", "=", reported.ref)
      .executeTakeFirst();
    const outcome = await database.transaction((tx) => syncRefund(tx, reported, clock.now()));
    if (outcome === "done" && known?.status !== "succeeded" && reported.state === "succeeded") result.healed += 1;
  }
  for await (const reported of gateway.listTransfers(span)) {
    if (!reported.transferId) continue;
    result.compared += 1;
    const known = await database.db
      .selectFrom("transfers")
      .select("status")
      .where("provider_ref", "=", reported.ref)
      .executeTakeFirst();
    const outcome = await recordTransfer(services, reported);
    if (outcome === "done" && known?.status !== "succeeded") result.healed += 1;
    if (outcome === "second")
      result.differences.push({ what: "the provider made a transfer twice, or with another sum", ref: reported.ref });
    if (outcome === "foreign")
      result.differences.push({ what: "the provider made a transfer that we do not know", ref: reported.ref });
    for (const reversal of await gateway.findReversals(reported.ref))
      await database.transaction((tx) => syncReversal(tx, reversal, clock.now()));
  }
  services.wake();
}

const isKnown = async (services: Payments, providerPayment: string): Promise<boolean> =>
  (await services.database.db
    .selectFrom("provider_charges")
    .select("provider_payment")
    .where("provider_payment", "=", providerPayment)
    .executeTakeFirst()) !== undefined;

/** What we have and the provider lacks, or says otherwise. */
async function fromUs(services: Payments, gateway: PaymentGateway, span: Span, result: Reconciliation): Promise<void> {
  const { database } = services;
  const paid = (await database.db
    .selectFrom("payments")
    .selectAll()
    .where("provider", "=", gateway.name)
    .where("provider_payment", "is not", null)
    .where("payment_date", ">=", span.from)
    .execute()) as Payment[];
  for (const payment of paid) {
    result.compared += 1;
    const difference = await compare(services, gateway, payment);
    if (difference) result.differences.push({ what: difference, ref: payment.id });
  }
}

/** The transfers that we booked and the provider lacks, or made with another sum. */
async function transfersFromUs(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<void> {
  const sent = await services.database.db
    .selectFrom("transfers")
    .select(["id", "provider_ref", "amount", "currency"])
    .where("status", "=", "succeeded")
    .where("sent_at", ">=", span.from)
    .execute();
  for (const { id, provider_ref: ref, amount, currency } of sent) {
    result.compared += 1;
    const reported = await found(() => gateway.retrieveTransfer(ref ?? ""));
    if (!reported) result.differences.push({ what: "the provider does not know this transfer", ref: id });
    else if (reported.amount !== amount || reported.currency !== currency)
      result.differences.push({ what: "the provider transferred another sum", ref: id });
  }
}

/** The answer of the provider; undefined when it knows no such object. */
async function found<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "missing") return undefined;
    throw error;
  }
}

async function compare(services: Payments, gateway: PaymentGateway, payment: Payment): Promise<string | undefined> {
  try {
    const reported = await gateway.retrievePayment(payment.provider_payment ?? "");
    if (!reported.money) return "we booked money that the provider did not take";
    if (reported.money.amount !== payment.amount || reported.money.currency !== payment.currency)
      return "the provider took another sum";
    await services.database.transaction((tx) => syncPayment(tx, reported, syncContextOf(services, gateway)));
    return undefined;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "missing") return "the provider does not know this payment";
    throw error;
  }
}
