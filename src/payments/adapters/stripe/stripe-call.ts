import Stripe from "stripe";
import { ProviderFailure, type Span } from "#gateway/gateway.ts";

export const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);
export const instant = (epochSeconds: number) => new Date(epochSeconds * 1000);

export const idOf = (object: string | { id: string } | null | undefined) =>
  typeof object === "string" ? object : (object?.id ?? null);

export const inSpan = (span: Span) => ({ created: { gte: seconds(span.from), lte: seconds(span.to) }, limit: 100 });

/** Calls the provider. Throws a ProviderFailure whose kind tells the caller what to do next. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failureOf(error);
  }
}

export async function unlessRefused(call: () => Promise<unknown>): Promise<void> {
  try {
    await callStripe(call);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== "refused") throw error;
  }
}

export async function* listStripe<T>(list: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* list;
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const status = error.statusCode ?? 0;
  // The key was used for other details, as by an earlier version. What that call did is unknown.
  const isOtherCall = error instanceof Stripe.errors.StripeIdempotencyError && status === 400;
  if (status >= 500 || isOtherCall) return new ProviderFailure("server_error", error.message);
  if (status === 0 || status === 409 || status === 429) return new ProviderFailure("no_answer", error.message);
  if (status === 401) return new ProviderFailure("wrong_key", error.message);
  // Stripe returns 403 with this code for an account that was removed or has revoked our access.
  const isGone = status === 404 || (status === 403 && error.code === "account_invalid");
  if (status === 403 && !isGone) return new ProviderFailure("no_permission", permissionMessage(error.message));
  return new ProviderFailure(isGone ? "missing" : "refused", `${error.message}${adviceOn(error.code)}`);
}

/** The pages are limited by the network of the card, and the evidence is shortened for the smallest limit before it is sent. */
const adviceOn = (code: string | undefined): string =>
  code === "dispute_evidence_page_limit_exceeded"
    ? " Shorten your own text, or answer the dispute in the Stripe dashboard, where parts can be left out."
    : "";

/** Returns the message for the operator. Stripe names the permission, such as 'rak_charge_write' or "Prices Read" ('plan_read'). */
function permissionMessage(message: string): string {
  const name = /'(?:rak_)?(\w+_(?:read|write))'/.exec(message)?.[1];
  return name === undefined
    ? `The key in STRIPE_SECRET_KEY may not make this call: ${message}`
    : `The key in STRIPE_SECRET_KEY lacks the permission ${name}. Add it to the key in the Stripe dashboard.`;
}
