import Stripe from "stripe";
import { z } from "zod";
import type { BankPayout, PaymentGateway, WebhookEndpoint, WebhookEvent } from "#gateway/gateway.ts";
import { type RejectedWebhook, webhookTestType } from "#platform/webhooks/receipt.ts";
import { isCurrency } from "../../rules/currencies.rules.ts";
import { instant, seconds } from "./stripe-call.ts";

const webhookToleranceSeconds = 300;
const signatureHeader = "stripe-signature";

export type WebhookSecrets = Readonly<{
  live: boolean;
  webhookSecret: string | undefined;
  connectWebhookSecret: string | undefined;
}>;

export const stripeWebhooks = (
  { webhooks }: Stripe,
  { live, webhookSecret, connectWebhookSecret }: WebhookSecrets,
): Pick<PaymentGateway, "signTestEvent" | "readEvent"> => ({
  signTestEvent: (now) => {
    const secret = webhookSecret?.trim();
    if (!secret) return null;
    const timestamp = seconds(now);
    const payload = JSON.stringify({
      id: `evt_test_${timestamp}`,
      object: "event",
      type: webhookTestType,
      livemode: live,
      data: { object: {} },
    });
    const header = webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return { raw: new TextEncoder().encode(payload), headers: { [signatureHeader]: header } };
  },
  readEvent: ({ raw, headers }, now, endpoint) => {
    const secret = (endpoint === "connect" ? connectWebhookSecret : webhookSecret)?.trim();
    if (!secret) return { refused: "no_secret" };
    const header = headers[signatureHeader];
    const signature = typeof header === "string" ? header : "";
    const signedAt = signedAtOf(signature);
    if (signedAt === undefined) return { refused: "bad_signature" };
    let event: unknown;
    try {
      const { signature: verifier } = webhooks;
      if (!verifier) throw new Error("this version of the Stripe SDK cannot verify webhooks");
      // The SDK strips a byte order mark and repairs invalid UTF-8 before it verifies bytes. The signature covers the original bytes.
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
      verifier.verifyHeader(text, signature, secret, webhookToleranceSeconds, undefined, now.getTime());
      event = JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError) return { refused: "not_ours" };
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      return { refused: /tolerance/.test(error.message) ? "wrong_time" : "bad_signature" };
    }
    // The SDK rejects only old signatures. Signatures from the future are rejected here.
    if (signedAt - now.getTime() / 1000 > webhookToleranceSeconds) return { refused: "wrong_time" };
    return webhookEventOf(event, live, endpoint);
  },
});

/** Stricter than the SDK, which accepts several timestamps. Returns the signing time in seconds since 1970, or undefined. */
function signedAtOf(header: string): number | undefined {
  const items = header.split(",").map((item) => /^([a-z]\w{0,15})=([\w-]{1,128})$/.exec(item));
  if (items.some((item) => item === null)) return undefined;
  const valuesOf = (scheme: string) => items.flatMap((item) => (item?.[1] === scheme ? [item[2] ?? ""] : []));
  const [timestamp = "", ...others] = valuesOf("t");
  const signatures = valuesOf("v1");
  if (others.length > 0 || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return undefined;
  return signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature)) ? Number(timestamp) : undefined;
}

const eventShape = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  type: z.string().regex(/^[\w.]{1,120}$/),
  livemode: z.boolean(),
  created: z.number().optional(),
  account: z.string().nullish(),
  data: z
    .object({ object: z.looseObject({ id: z.unknown().optional(), payment_intent: z.unknown().optional() }) })
    .optional(),
});
const payoutShape = z.object({
  amount: z.int(),
  currency: z.string(),
  created: z.number(),
  failure_message: z.string().nullish(),
});
const reference = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** Returns the stored fields of an event. Events of another mode, endpoint or shape, or with invalid references, are "not_ours". */
function webhookEventOf(event: unknown, live: boolean, endpoint: WebhookEndpoint): WebhookEvent | RejectedWebhook {
  const read = eventShape.safeParse(event);
  if (!read.success || read.data.livemode !== live) return { refused: "not_ours" };
  const { id, type, data, created } = read.data;
  const account = read.data.account || null;
  if ((account !== null) !== (endpoint === "connect")) return { refused: "not_ours" };
  const object = data?.object;
  const references = [object?.id, object?.payment_intent, account].map((value) =>
    typeof value === "string" ? reference.safeParse(value) : { success: true as const, data: null },
  );
  const [objectId, paymentRef, accountRef] = references;
  if (!objectId?.success || !paymentRef?.success || !accountRef?.success) return { refused: "not_ours" };
  return {
    id,
    type,
    objectId: objectId.data,
    paymentRef: paymentRef.data,
    account: accountRef.data,
    ...(created === undefined ? {} : { at: instant(created).toISOString() }),
    ...(type.startsWith("payout.") ? bankPayoutOf(object) : {}),
  };
}

function bankPayoutOf(object: unknown): { bankPayout?: BankPayout } {
  const { data } = payoutShape.safeParse(object);
  if (!data) return {};
  const { amount, currency, created, failure_message: reason } = data;
  const createdAt = instant(created).toISOString();
  return {
    bankPayout: {
      amount: isCurrency(currency) ? amount : null,
      currency,
      createdAt,
      reason: reason?.slice(0, 200) || null,
    },
  };
}
