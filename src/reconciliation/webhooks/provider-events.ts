import { recordActivity } from "#activity/index.ts";
import { fetchDispute } from "#disputes/index.ts";
import { isOutage } from "#gateway/attempts.ts";
import type { PaymentGateway, Payments, WebhookEvent } from "#gateway/gateway.ts";
import {
  chargeOf,
  lockPayment,
  recordCheckout,
  recordPayment,
  republishFailedRefunds,
  syncContextOf,
  syncSavedCard,
  syncRefund,
  syncPayment,
} from "#payments/provider-sync.ts";
import { syncConnectAccount, syncReversal, recordTransfer } from "#payouts/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict, errorMessage, Problem } from "#platform/errors.ts";
import { processWebhooks } from "#platform/webhooks/processing.ts";
import { claimDeadEvent, finishEvent } from "#platform/webhooks/webhooks.store.ts";
import { hasLaterBankPayout } from "./webhooks.views.ts";

export async function processEvents(services: Payments): Promise<void> {
  const { gateway } = services;
  if (!gateway) return;
  await processWebhooks(services, {
    source: "payments",
    handle: ({ payload }) => handle(services, gateway, payload as WebhookEvent),
    isOutage,
    abandoned: ({ payload }) => republishRefundsOf(services, payload as WebhookEvent),
  });
}

/** Processes a dead event again, for an admin. Returns the reason if it fails again. Throws a conflict (409) if it is not dead or being retried. */
export async function retryDeadEvent(services: Payments, id: string, adminId: string): Promise<string | null> {
  const { gateway, database, clock } = services;
  if (!gateway) throw new Problem("unavailable", "No card provider is set up.");
  const event = await database.transaction((tx) => claimDeadEvent(tx, { source: "payments", id, now: clock.now() }));
  if (!event) throw conflict("This event has been processed or is being retried. Reload the page.");
  const error = await handle(services, gateway, event.payload as WebhookEvent).then(
    () => null,
    (failure: unknown) => {
      services.log.error({ err: failure, eventId: id }, "a webhook could not be processed");
      return errorMessage(failure);
    },
  );
  const now = clock.now();
  await finishEvent(
    database,
    id,
    error === null
      ? { processed_at: now, dead_at: null, last_error: null }
      : { attempts: event.attempts + 1, next_try_at: now, last_error: error },
  );
  await inTransaction(services, (tx) =>
    recordActivity(tx, {
      type: "payment",
      refId: id,
      actorId: adminId,
      message: `The event ${event.type} of the card provider was retried: ${error ?? "it was processed"}`,
    }),
  );
  return error;
}

/** Republishes the failed refunds of a charge, which waited for this notice of its dispute. */
async function republishRefundsOf(services: Payments, { type, paymentRef }: WebhookEvent): Promise<void> {
  if (!type.startsWith("charge.dispute.") || !paymentRef) return;
  await inTransaction(services, async (tx) => {
    const charge = await chargeOf(tx, paymentRef);
    if (charge?.payment_id) await lockPayment(tx, charge.payment_id);
    await republishFailedRefunds(tx, paymentRef, "undisputed");
  });
}

type Handler = (services: Payments, gateway: PaymentGateway, event: WebhookEvent) => Promise<void>;

const syncCheckoutOf: Handler = async (services, gateway, event) => {
  await recordCheckout(services, gateway, await gateway.retrieveCheckout(required(event.objectId, event)));
};

const syncPaymentOf: Handler = async (services, gateway, event) => {
  await recordPayment(services, gateway, await gateway.retrievePayment(required(event.objectId, event)));
};

/** A charge of another business on the same account may have no payment. Ours have one. */
const syncChargeOf: Handler = async (services, gateway, { paymentRef: ref }) => {
  if (ref !== null) await recordPayment(services, gateway, await gateway.retrievePayment(ref));
};

/** The charge is synced first, because a refund may be reported before its charge, and the oldest refund before one that replaces it. */
const syncRefundsOf: Handler = async (services, gateway, { paymentRef: ref }) => {
  if (ref === null) return;
  const payment = await gateway.retrievePayment(ref);
  const refunds = await gateway.findRefunds(ref);
  await inTransaction(services, async (tx) => {
    await syncPayment(tx, payment, syncContextOf(services, gateway));
    for (const refund of refunds.toReversed()) await syncRefund(tx, refund, services.clock.now());
  });
};

/** The account is fetched, because an event does not contain its current state. */
const syncAccountOf: Handler = async (services, gateway, event) => {
  await syncConnectAccount(services, gateway, required(event.account, event));
};

const syncReturnedPayout: Handler = async (services, gateway, event) => {
  // The platform's own payouts have no account.
  if (event.account === null) return;
  const { amount = null, currency = "", reason = null } = event.bankPayout ?? {};
  const at = event.at ?? services.clock.now().toISOString();
  const returned = { payout: required(event.objectId, event), amount, currency, reason, at };
  // An admin may retry the event long after later money has arrived.
  const isOver = await hasLaterBankPayout(services.database.db, event.account, at);
  await syncConnectAccount(services, gateway, event.account, isOver ? {} : { returned });
};

const syncBankPayout: Handler = async (services, gateway, event) => {
  const { account, bankPayout: payout } = event;
  if (account && payout) await syncConnectAccount(services, gateway, account, { arrived: payout.createdAt });
};

const syncTransferOf: Handler = async (services, gateway, event) => {
  const ref = required(event.objectId, event);
  await recordTransfer(services, await gateway.retrieveTransfer(ref));
  const reversals = await gateway.findReversals(ref);
  await inTransaction(services, async (tx) => {
    for (const reversal of reversals) await syncReversal(tx, reversal, services.clock.now());
  });
};

const syncCardOf: Handler = (services, gateway, event) =>
  syncSavedCard(services, gateway, required(event.objectId, event));

/** The dispute is fetched, because an event contains neither its current state nor its movements. */
const syncDisputeOf: Handler = async (services, gateway, event) => {
  await fetchDispute(services, gateway, required(event.objectId, event));
};

const handlers: readonly (readonly [start: string, handler: Handler])[] = [
  ["checkout.session.", syncCheckoutOf],
  ["transfer.", syncTransferOf],
  ["account.updated", syncAccountOf],
  ["account.external_account.", syncAccountOf],
  ["payout.failed", syncReturnedPayout],
  ["payout.paid", syncBankPayout],
  ["payment_intent.", syncPaymentOf],
  ["payment_method.", syncCardOf],
  ["charge.refund", syncRefundsOf],
  ["refund.", syncRefundsOf],
  ["charge.dispute.", syncDisputeOf],
  ["charge.", syncChargeOf],
];

const handle: Handler = async (services, gateway, event) => {
  const [, handler] = handlers.find(([start]) => event.type.startsWith(start)) ?? [];
  if (!handler) throw new Error(`there is no handler for ${event.type}`);
  await handler(services, gateway, event);
};

async function inTransaction(services: Payments, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await services.database.transaction(work);
  services.wake();
}

function required(ref: string | null, event: WebhookEvent): string {
  if (ref === null) throw new Error(`${event.type} names no object`);
  return ref;
}
