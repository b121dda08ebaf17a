import { setTimeout as pause } from "node:timers/promises";
import { callProvider } from "#gateway/attempts.ts";
import { type PaymentGateway, type Payments, requireGateway, unlessMissing } from "#gateway/gateway.ts";
import { hasRow, type Database, type Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { type Backoff, jitteredBackoffMs } from "#platform/time/retry.ts";
import { applyChargeResult } from "../cards/charges.ts";
import { checkoutMinutes } from "../rules/statuses.rules.ts";
import { changePayment, endCheckout, lockPayment, type Payment } from "../store.ts";
import {
  type RequestDetails,
  recordUnopenedCheckout,
  acquireLease,
  saveRequestDetails,
} from "../stores/checkout.store.ts";
import { recordCheckout, recordEnd } from "../sync/record.ts";

/** Seconds for which one process calls the provider. Afterwards any process may repeat the call. */
const leaseSeconds = 4;
const patienceMs = 20_000;
const pauseBetweenReads: Backoff = { firstSeconds: 0.06, maxSeconds: 1 };
/** The provider refuses a checkout that ends in less than 30 minutes, so an unanswered call can be repeated only within this time. */
const repeatableMs = (checkoutMinutes.expires - checkoutMinutes.shown) * minuteMs - 10_000;

/** The addresses and details of a checkout. `expiresAt` absent: 31 minutes from now. */
type CheckoutAddresses = RequestDetails & Readonly<{ expiresAt?: Date }>;
type OpenedCheckout = Readonly<{ url: string; ref: string }>;

const underWay = new WeakMap<Database, Map<string, Promise<OpenedCheckout>>>();

/** Opens a payment's checkout, or returns the open one, also to concurrent callers. Never call it in a transaction. Throws conflict (409) if paid, gone (410) if it ended (reserve again), unavailable (503) without the provider. */
export function openCheckout(
  services: Payments,
  paymentId: string,
  addresses: CheckoutAddresses,
): Promise<OpenedCheckout> {
  const here = underWay.get(services.database) ?? new Map<string, Promise<OpenedCheckout>>();
  underWay.set(services.database, here);
  const running = here.get(paymentId);
  if (running) return running;
  const work = open(services, paymentId, addresses).finally(() => here.delete(paymentId));
  here.set(paymentId, work);
  return work;
}

type Step = { do: "find" | "send" | "refresh" | "apply"; payment: Payment };
type Next = { do: "return"; opened: OpenedCheckout } | { do: "wait" } | Step;

async function open(services: Payments, paymentId: string, addresses: CheckoutAddresses): Promise<OpenedCheckout> {
  const gateway = requireGateway(services);
  const began = performance.now();
  const steps = new Set<Next["do"]>();
  for (let round = 1; performance.now() - began < patienceMs; round++) {
    const next = await services.database.transaction((tx) => nextStep(tx, services.clock.now(), paymentId, addresses));
    if (next.do === "return") return next.opened;
    if (next.do === "wait") {
      await pause(jitteredBackoffMs(round, pauseBetweenReads));
      continue;
    }
    if (steps.has(next.do)) throw stillProcessing();
    steps.add(next.do);
    const opened = next.do === "send" || next.do === "find" ? next.payment : undefined;
    await callForCheckout(services, opened, () => step(services, gateway, next));
  }
  throw notAnswered();
}

const notAnswered = () =>
  new Problem("unavailable", "The payment provider does not answer. Please try again in a moment.");

const notConfirmed = () =>
  new Problem(
    "unavailable",
    "The payment provider did not confirm the state of a payment. Please try again in a moment.",
  );

/** The provider's state did not change: sessions may end late at the provider, and banks process payments with delay. */
const stillProcessing = () =>
  new Problem("unavailable", "The payment provider is still processing this payment. Please try again in a moment.");

async function step(services: Payments, gateway: PaymentGateway, next: Step): Promise<void> {
  if (next.do === "apply") await applyChargeResult(services, gateway, next.payment.id);
  else if (next.do === "refresh") await pollCheckout(services, gateway, next.payment);
  else if (next.do === "find") await findAtProvider(services, gateway, next.payment);
  else await recordCheckout(services, gateway, await gateway.createCheckout(requestOf(next.payment)));
}

/** Decides under the row's lock. The first request stores its URLs because a repeat must send the same. */
async function nextStep(tx: Tx, now: Date, paymentId: string, addresses: CheckoutAddresses): Promise<Next> {
  const payment = await lockPayment(tx, paymentId);
  if (!payment) throw notFound("There is no such payment.");
  if (payment.checkout_state === "paid") throw conflict(`The ${payment.kind} is already paid.`);
  if (payment.checkout_state === "closed")
    throw new Problem("gone", "This payment page has ended. Please start again.");
  // A pending charge of the saved card must end before a checkout can open.
  if (payment.way === "saved_card") return { do: "apply", payment };
  if (payment.checkout_state === "open" && payment.provider_ref !== null) {
    const { checkout_url: url, provider_ref: ref, expires_at: expiresAt } = payment;
    if (url !== null && expiresAt !== null && expiresAt > now) return { do: "return", opened: { url, ref } };
    return { do: "refresh", payment };
  }
  if (!(await acquireLease(tx, paymentId, leaseSeconds))) return { do: "wait" };
  if (payment.requested_at === null) {
    const { expiresAt, ...details } = addresses;
    await saveRequestDetails(tx, paymentId, details);
    await changePayment(tx, payment, { requested_at: now, expires_at: endOf(expiresAt, now) }, now);
    return { do: "send", payment: { ...payment, request_params: details } };
  }
  return { do: checkoutNeedsLookup(payment, now) ? "find" : "send", payment };
}

/** Returns the requested end, or 31 minutes from now if the provider would refuse it as too soon. */
function endOf(requested: Date | undefined, now: Date): Date {
  const minMs = checkoutMinutes.shown * minuteMs + 20_000;
  if (requested && requested.getTime() - now.getTime() >= minMs) return requested;
  return new Date(now.getTime() + checkoutMinutes.expires * minuteMs);
}

function checkoutNeedsLookup(payment: Payment, now: Date): boolean {
  return payment.needs_lookup || now.getTime() - (payment.requested_at?.getTime() ?? 0) > repeatableMs;
}

/** Time around a lost checkout: one minute to create it (`repeatableMs`) plus clock skew. Short: all checkouts are listed. */
const searchedMs = 5 * minuteMs;

/** Adopts the checkout of a payment that the provider has, else closes the checkout permanently. */
async function findAtProvider(services: Payments, gateway: PaymentGateway, payment: Payment): Promise<void> {
  const requestedAt = payment.requested_at ?? payment.created_at;
  const found = await gateway.findCheckouts(payment.id, {
    from: new Date(requestedAt.getTime() - searchedMs),
    to: new Date(requestedAt.getTime() + searchedMs),
  });
  const best =
    found.find((reported) => reported.money) ?? found.find((reported) => reported.state === "open") ?? found[0];
  if (best) await recordCheckout(services, gateway, best);
  else await recordEnd(services, payment, "The provider has no checkout for this payment.");
}

function requestOf(payment: Payment) {
  const details = payment.request_params as RequestDetails;
  return {
    paymentId: payment.id,
    bookingId: payment.booking_id,
    bookingNumber: details.bookingNumber ?? null,
    kind: payment.kind,
    amount: payment.amount,
    currency: payment.currency,
    title: payment.title,
    details: payment.description.split("\n").filter((line) => line !== ""),
    imageUrl: payment.image_url,
    payerEmail: payment.payer_email,
    payerName: payment.payer_name,
    successUrl: details.successUrl,
    cancelUrl: details.cancelUrl,
    contractUrl: details.contractUrl ?? null,
    expiresAt: payment.expires_at ?? payment.created_at,
    saveCardNotice: payment.save_card_notice,
  };
}

/** Records for a failed call that opens `payment` whether the next caller must query the provider. Other calls are about a checkout that may be paid. */
const callForCheckout = (services: Payments, payment: Payment | undefined, call: () => Promise<void>) =>
  callProvider(services, call, {
    ids: { paymentId: payment?.id },
    message: "the payment provider did not open a checkout",
    toProblem: async ({ kind, message }) => {
      if (!payment) return notConfirmed();
      const needsLookup = kind === "server_error" || kind === "refused";
      await services.database.transaction((tx) => recordUnopenedCheckout(tx, payment.id, message, needsLookup));
      return new Problem(
        "unavailable",
        "The payment page could not be opened. You have not been charged. Try again in a moment.",
      );
    },
  });

/** Expires a checkout at the provider. Never call it in a transaction. Returns "already_paid" if the payment came first. */
export async function expireCheckout(services: Payments, paymentId: string): Promise<"expired" | "already_paid"> {
  const began = performance.now();
  const steps = new Set<"charge" | "look" | "expire">();
  for (let round = 1; performance.now() - began < patienceMs; round++) {
    const payment = await closeUnsentCheckout(services, paymentId);
    if (payment.checkout_state === "paid") return "already_paid";
    if (payment.checkout_state === "closed") return payment.status === "refunded" ? "already_paid" : "expired";
    const gateway = requireGateway(services);
    // A saved-card charge reports immediately that it is in progress. A checkout opens within moments, so this waits.
    const opening = payment.way === "checkout" && payment.checkout_state === "reserved";
    if (opening && (await isProviderCallInProgress(services.database, paymentId))) {
      await pause(jitteredBackoffMs(round, pauseBetweenReads));
      continue;
    }
    const { provider_ref: ref } = payment;
    const next = payment.way === "saved_card" ? "charge" : ref === null ? "look" : "expire";
    if (steps.has(next)) throw stillProcessing();
    steps.add(next);
    await callForCheckout(services, undefined, async () => {
      if (next === "charge") await applyChargeResult(services, gateway, paymentId);
      else if (ref === null) await findAtProvider(services, gateway, payment);
      else await recordCheckout(services, gateway, await gateway.expireCheckout(ref));
    });
  }
  throw notAnswered();
}

const closeUnsentCheckout = (services: Payments, paymentId: string): Promise<Payment> =>
  services.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment) throw notFound("There is no such payment.");
    if (payment.checkout_state === "reserved" && payment.requested_at === null)
      await endCheckout(tx, payment, "The payment was canceled.", services.clock.now());
    return payment;
  });

const isProviderCallInProgress = (database: Database, paymentId: string): Promise<boolean> =>
  hasRow(database.db)`select 1 from payments where id = ${paymentId} and lease_until > now()`;

/** Queries the provider about an unpaid payment and syncs the state. A checkout that the provider does not know has ended. */
export async function pollCheckout(services: Payments, gateway: PaymentGateway, payment: Payment): Promise<void> {
  if (payment.provider_ref === null) return findAtProvider(services, gateway, payment);
  const reported = await unlessMissing(gateway.retrieveCheckout(payment.provider_ref));
  if (reported) await recordCheckout(services, gateway, reported);
  else await recordEnd(services, payment, "The provider does not know this checkout.");
}
