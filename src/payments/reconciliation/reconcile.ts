/** Compares provider and ledger in both directions. What is only late is healed; what cannot be explained is written down. */
import { syncContextOf, recordCheckout } from "../checkout/checkout.ts";
import { syncPayment } from "../sync/sync.ts";
import { type PaymentGateway, type Payments, type ProviderCheckout, ProviderFailure, type Span } from "../gateway.ts";
import { syncReversal } from "../payouts/reversals.ts";
import { recordTransfer } from "../payouts/transfers.ts";
import { syncRefund } from "../refunds/refunds.ts";
import type { Payment } from "../store.ts";
import { reconcileDisputes } from "./disputes.ts";
import { ledgerBalance } from "../views.ts";
import { agreedCheckouts } from "./agreed.views.ts";
import { insertReconciliation } from "./reconciliations.store.ts";
import { healOthers, noteDifferences, type Reconciliation } from "./unexplained.store.ts";

/** How far back each run looks: every event of a three-day outage is in sight each hour, and five weeks each night. */
const windowHours = { hourly: 80, nightly: 35 * 24, recent: 2 } as const;

const spanOf = (hours: number, now: Date): Span => ({
  from: new Date(now.getTime() - hours * 3_600_000),
  to: new Date(now.getTime() + 60_000),
});

/**
 * Takes over what the provider has had for at most two hours and we lack, without waiting for a webhook. Nothing is stored when there is
 * nothing to heal; what we have and the provider lacks is for the whole comparison.
 */
export async function reconcileRecent(services: Payments): Promise<void> {
  const { gateway, clock, database } = services;
  if (!gateway) return;
  const now = clock.now();
  const result: Reconciliation = { compared: 0, healed: 0, differences: [] };
  await fromProvider(services, gateway, spanOf(windowHours.recent, now), result);
  if (result.differences.length > 0) await database.transaction((tx) => noteDifferences(tx, result.differences, now));
}

/** Runs one comparison and stores its result. Without a provider there is nothing to compare. */
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
  await transfersFromUs(services, gateway, span, result);
  await reversalsFromUs(services, gateway, span, result);
  await reconcileDisputes(services, gateway, span, result);
  for (const { currency, balance } of await ledgerBalance(database.db, "suspense")) {
    if (balance === 0) continue;
    const amount = Math.abs(balance);
    const what = "money is in suspense that is neither booked nor on its way back";
    result.differences.push({
      kind: "suspense",
      what,
      ref: `suspense ${currency}`,
      amount,
      currency,
      occurredAt: startedAt,
    });
  }
  await database.transaction(async (tx) => {
    await noteDifferences(tx, result.differences, startedAt);
    await healOthers(tx, result.differences, { from: span.from, now: startedAt });
    await insertReconciliation(tx, { ...result, startedAt, finishedAt: clock.now() });
  });
  if (result.differences.length > 0) log.error({ differences: result.differences }, "provider and ledger differ");
  return result;
}

/** So many checkouts are compared with our rows in one query. */
const atOnce = 500;

/** What the provider has and we lack: webhooks that were lost. Answers the references of the payments that both sides say the same of. */
async function fromProvider(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<ReadonlySet<string>> {
  const { database, clock } = services;
  const agreed = new Set<string>();
  for await (const some of inBatches(gateway.listCheckouts(span), atOnce)) {
    const same = await agreedCheckouts(database.db, some, gateway);
    for (const reported of some) {
      if (!reported.paymentId) {
        if (reported.markedBy === "nobody") noteForeign(reported, result);
        continue;
      }
      result.compared += 1;
      if (reported.money && same.has(reported.money.providerPayment)) {
        agreed.add(reported.money.providerPayment);
        continue;
      }
      const before = reported.money ? await isKnown(services, reported.money.providerPayment) : true;
      await recordCheckout(services, gateway, reported);
      if (!before) result.healed += 1;
    }
  }
  for await (const reported of gateway.listCharges(span)) {
    if (!reported.paymentId) continue;
    result.compared += 1;
    const before = reported.money ? await isKnown(services, reported.money.providerPayment) : true;
    await database.transaction((tx) => syncPayment(tx, reported, syncContextOf(services, gateway)));
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
    const { amount, currency, createdAt: occurredAt, ref } = reported;
    const of = { amount, currency, occurredAt, ref };
    result.compared += 1;
    const known = await database.db
      .selectFrom("transfers")
      .select("status")
      .where("provider_ref", "=", reported.ref)
      .executeTakeFirst();
    const outcome = await recordTransfer(services, reported);
    if (outcome === "done" && known?.status !== "succeeded") result.healed += 1;
    if (outcome === "second")
      result.differences.push({
        ...of,
        kind: "transfer",
        what: "the provider made a transfer twice, or with another sum",
      });
    if (outcome === "foreign")
      result.differences.push({ ...of, kind: "transfer", what: "the provider made a transfer that we do not know" });
    for (const reversal of await gateway.findReversals(reported.ref)) {
      result.compared += 1;
      const synced = await database.transaction((tx) => syncReversal(tx, reversal, clock.now()));
      const what = "the provider took a transfer back that we do not know";
      if (synced === "foreign")
        result.differences.push({ ...of, kind: "reversal", what, ref: reversal.ref, amount: reversal.amount });
    }
  }
  services.wake();
  return agreed;
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

/**
 * Money of a checkout that carries no mark: nobody here asked for it, so that only a person can say what it is for. What another
 * installation on the same account asked for is that one's, and is not listed here.
 */
function noteForeign({ money, createdAt: occurredAt }: ProviderCheckout, result: Reconciliation): void {
  if (!money) return;
  result.compared += 1;
  // Checkouts are listed by their creation, so it says which comparisons can still see this one.
  const { providerPayment: ref, amount, currency } = money;
  const what = "the provider took a payment that was not asked for here";
  result.differences.push({ kind: "payment", what, ref, amount, currency, occurredAt });
}

const isKnown = async (services: Payments, providerPayment: string): Promise<boolean> =>
  (await services.database.db
    .selectFrom("provider_charges")
    .select("provider_payment")
    .where("provider_payment", "=", providerPayment)
    .executeTakeFirst()) !== undefined;

/** What we have and the provider lacks, or says otherwise. */
async function fromUs(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  { agreed, result }: { agreed: ReadonlySet<string>; result: Reconciliation },
): Promise<void> {
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
    if (agreed.has(payment.provider_payment ?? "")) continue;
    const what = await compare(services, gateway, payment);
    const { provider_payment: ref, amount, currency, payment_date: occurredAt } = payment;
    if (what && ref && occurredAt) result.differences.push({ kind: "money", what, ref, amount, currency, occurredAt });
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
    .select(["id", "provider_ref", "amount", "currency", "sent_at"])
    .where("status", "=", "succeeded")
    .where("sent_at", ">=", span.from)
    .execute();
  for (const { id, provider_ref: ref, amount, currency, sent_at } of sent) {
    const of = { kind: "transfer", ref: ref ?? id, amount, currency, occurredAt: sent_at ?? span.to } as const;
    result.compared += 1;
    const reported = await found(() => gateway.retrieveTransfer(ref ?? ""));
    if (!reported) result.differences.push({ ...of, what: "the provider does not know this transfer" });
    else if (reported.amount !== amount || reported.currency !== currency)
      result.differences.push({ ...of, what: "the provider transferred another sum" });
  }
}

/** The reversals that we booked and the provider lacks, or made with another sum. */
async function reversalsFromUs(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<void> {
  const made = await services.database.db
    .selectFrom("transfer_reversals as r")
    .innerJoin("transfers as t", "t.id", "r.transfer_id")
    .select(["r.id", "r.provider_ref", "r.amount", "r.currency", "r.updated_at", "t.provider_ref as transfer"])
    .where("r.status", "=", "succeeded")
    .where("r.updated_at", ">=", span.from)
    .execute();
  for (const { id, provider_ref: ref, amount, currency, updated_at: occurredAt, transfer } of made) {
    result.compared += 1;
    const reported = await found(() => gateway.findReversals(transfer ?? ""));
    const same = reported?.find((one) => one.ref === ref);
    if (same?.amount === amount) continue;
    const what = same ? "the provider took back another sum" : "the provider does not know this reversal";
    result.differences.push({ kind: "reversal", what, ref: ref ?? id, amount, currency, occurredAt });
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
