import type { Tx } from "../db/index.ts";
import { invalid, Problem } from "../errors.ts";
import type { PlatformServices } from "../services/index.ts";
import type { Clock } from "../time/clock.ts";
import { storeEvent, type WebhookFields, type WebhookSource } from "./webhooks.store.ts";

/** A webhook as received: bytes, because a parsed body cannot be verified. Header names are in lower case. */
export type Delivery = Readonly<{ raw: Uint8Array; headers: Readonly<Record<string, string | string[] | undefined>> }>;

const rejections = {
  bad_signature: "The signature of this webhook does not match.",
  wrong_time: "The timestamp of this webhook is too old or in the future.",
  not_ours: "This webhook belongs to another account or mode, or is not an event.",
};
export type RejectedWebhook = Readonly<{ refused: "no_secret" | keyof typeof rejections }>;

/** The type of our own test events, which are verified and not stored. */
export const webhookTestType = "stagedoor.webhook_test";

/** The setting with an endpoint's secret, and the error code if it is missing. */
export type WebhookSecret = Readonly<{ setting: string; code: string }>;

const noSecret = ({ setting, code }: WebhookSecret) =>
  new Problem("unavailable", `Webhooks are not set up: ${setting} is missing.`, { code });

type Receipt = Readonly<{
  source: WebhookSource;
  provider: string;
  secret: WebhookSecret;
  requestId: string | undefined;
  /** Runs in the transaction that stores the event. */
  stored?: (tx: Tx) => Promise<unknown>;
}>;

/** Stores a verified event. Throws the error response of a refused delivery. */
export async function acceptWebhook(
  services: Pick<PlatformServices, "database" | "clock" | "log" | "wake">,
  event: WebhookFields | RejectedWebhook,
  { source, provider, secret, requestId, stored }: Receipt,
): Promise<void> {
  if ("refused" in event) {
    const { refused } = event;
    services.log.warn({ requestId, refused, provider, secret: secret.setting }, "a webhook was refused");
    throw refused === "no_secret" ? noSecret(secret) : invalid(rejections[refused]);
  }
  if (event.type === webhookTestType) return;
  await services.database.transaction(async (tx) => {
    await storeEvent(tx, { source, provider, event, now: services.clock.now() });
    await stored?.(tx);
  });
  services.wake();
}

type TestResult = Readonly<{ ok: boolean; message: string }>;

export async function testWebhook(
  delivery: Delivery | null,
  secret: WebhookSecret,
  receive: (delivery: Delivery) => Promise<void>,
): Promise<TestResult> {
  try {
    if (!delivery) throw noSecret(secret);
    await receive(delivery);
    return {
      ok: true,
      message: "Signed with the stored secret. The signature was accepted. Nothing else was changed.",
    };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, message: error.message };
    throw error;
  }
}

export async function timedTest(clock: Clock, test: () => Promise<TestResult>) {
  const at = clock.now();
  const begun = performance.now();
  const { ok, message } = await test();
  return { ok, message, took_ms: Math.round(performance.now() - begun), at };
}
