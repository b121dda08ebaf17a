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
import { dayMs } from "#platform/time/durations.rules.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { type ClaimedEvent, claimDeadEvent, claimEvents, finishEvent } from "./provider-events.store.ts";
import { hasLaterBankPayout } from "./webhooks.views.ts";

export const maxEventAttempts = 8;
/** As long as the provider itself repeats a webhook. */
const maxOutageMs = 3 * dayMs;
const backoff = { firstSeconds: 5, maxSeconds: 1_800 };

/** Processes every due event. Several processes may run it. Each event is claimed by one of them. */
export async function processEvents(services: Payments): Promise<void> {
  const { gateway, database, clock } = services;
  if (!gateway) return;
  for (;;) {
    const claimed = await database.transaction((tx) => claimEvents(tx, clock.now()));
    if (claimed.length === 0) return;
    for (const event of claimed) await processEvent(services, gateway, event);
  }
}

async function processEvent(services: Payments, gateway: PaymentGateway, event: ClaimedEvent): Promise<void> {
  try {
    await handle(services, gateway, event.payload as WebhookEvent);
    await finishEvent(services, event.id, { processed_at: services.clock.now(), last_error: null });
  } catch (error) {
    await postponeEvent(services, event, error);
  }
}

/** Processes a dead event again, for an admin. Returns the reason if it fails again. Throws a conflict (409) if it is not dead or being retried. */
export async function retryDeadEvent(services: Payments, id: string, adminId: string): Promise<string | null> {
  const { gateway, database, clock } = services;
  if (!gateway) throw new Problem("unavailable", "No card provider is set up.");
  const event = await database.transaction((tx) => claimDeadEvent(tx, id, clock.now()));
  if (!event) throw conflict("This event has been processed or is being retried. Reload the page.");
  const error = await handle(services, gateway, event.payload as WebhookEvent).then(
    () => null,
    (failure: unknown) => {
      services.log.error({ err: failure, eventId: id }, "an event of the payment provider could not be processed");
      return errorMessage(failure);
    },
  );
  const now = clock.now();
  await finishEvent(
    services,
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

async function postponeEvent(services: Payments, event: ClaimedEvent, error: unknown): Promise<void> {
  const now = services.clock.now();
  const { id } = event;
  const age = now.getTime() - event.received_at.getTime();
  const isAway = isOutage(error);
  // An outage uses up no attempt. It waits as long as the event has waited so far, so each wait is twice the last.
  const attempts = event.attempts + (isAway ? 0 : 1);
  const dead = isAway ? age > maxOutageMs : attempts >= maxEventAttempts;
  const seconds = isAway
    ? Math.min(backoff.maxSeconds, Math.max(backoff.firstSeconds, age / 1000))
    : backoffSeconds(attempts, backoff);
  services.log[dead ? "error" : "warn"](
    { err: error, eventId: id, attempts },
    "an event of the payment provider could not be processed",
  );
  await finishEvent(services, id, {
    attempts,
    last_error: errorMessage(error),
    next_try_at: dead ? now : new Date(now.getTime() + seconds * 1000),
    dead_at: dead ? now : null,
  });
  const { type, paymentRef } = event.payload as WebhookEvent;
  if (!dead || !type.startsWith("charge.dispute.") || !paymentRef) return;
  // The failed refunds of the charge waited for this notice.
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

/** The charge is synced first, because a refund may be reported before its charge. */
const syncRefundsOf: Handler = async (services, gateway, { paymentRef: ref }) => {
  if (ref === null) return;
  const payment = await gateway.retrievePayment(ref);
  const refunds = await gateway.findRefunds(ref);
  await inTransaction(services, async (tx) => {
    await syncPayment(tx, payment, syncContextOf(services, gateway));
    for (const refund of refunds) await syncRefund(tx, refund, services.clock.now());
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
