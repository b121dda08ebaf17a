/** The provider's door. A webhook is a hint: verify it, note its id, then ask the provider for the truth. */
import type { FastifyPluginAsync } from "fastify";
import { type Tx, json } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { syncContextOf, recordCheckout, requireGateway } from "../checkout/checkout.ts";
import { syncPayment } from "../sync/sync.ts";
import type { EventHint, PaymentGateway, Payments, WebhookRefusal } from "../gateway.ts";
import { syncRefund } from "../refunds/refunds.ts";

const bodyLimit = 1_048_576;
/** After so many failures an event waits for a person (a dead letter). */
export const maxEventAttempts = 8;
/** Waits 5, 10, 20 … seconds between tries, at most half an hour. */
const backoffSeconds = (attempts: number) => Math.min(1_800, 5 * 2 ** (attempts - 1));

const refusals: Record<WebhookRefusal, () => Problem> = {
  no_secret: () => new Problem("unavailable", "Webhooks are not set up: STRIPE_WEBHOOK_SECRET is missing."),
  bad_signature: () => new Problem("invalid", "The signature of this webhook does not match."),
  wrong_time: () => new Problem("invalid", "This webhook was signed at another time."),
  not_ours: () => new Problem("invalid", "This webhook belongs to another account or mode."),
};

/** POST /api/webhooks/stripe. Raw bytes only: a parsed body cannot be verified. */
export const webhookPlugin =
  (services: Payments): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
    app.post("/api/webhooks/stripe", { bodyLimit }, async (request, reply) => {
      const gateway = requireGateway(services);
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = request.headers["stripe-signature"];
      const hint = gateway.readEvent(raw, typeof header === "string" ? header : undefined, services.clock.now());
      if ("refused" in hint) {
        services.log.warn({ requestId: request.id, refused: hint.refused }, "a webhook was refused");
        throw refusals[hint.refused]();
      }
      await noteEvent(services, gateway, hint);
      await answerEvent(services, gateway, hint.id);
      return reply.send({ received: true });
    });
  };

/** Notes the event once by its id; from here on it is durable and may be answered by any process. */
async function noteEvent(services: Payments, gateway: PaymentGateway, hint: EventHint): Promise<void> {
  const now = services.clock.now();
  await services.database.transaction((tx) =>
    tx
      .insertInto("provider_events")
      .values({
        id: hint.id,
        provider: gateway.name,
        type: hint.type,
        object_id: hint.objectId,
        payload: json(hint),
        received_at: now,
        next_try_at: now,
      })
      .onConflict((on) => on.column("id").doNothing())
      .execute(),
  );
}

/** Answers a noted event, unless that was done before. A failure is kept and tried again by the job. */
export async function answerEvent(services: Payments, gateway: PaymentGateway, id: string): Promise<void> {
  const event = await services.database.db
    .selectFrom("provider_events")
    .select(["payload", "attempts"])
    .where("id", "=", id)
    .where("processed_at", "is", null)
    .where("dead_at", "is", null)
    .executeTakeFirst();
  if (!event) return;
  try {
    await fetchTruth(services, gateway, event.payload as EventHint);
    await settleEvent(services, id, { processed_at: services.clock.now(), last_error: null });
  } catch (error) {
    await postpone(services, id, event.attempts + 1, error);
  }
}

async function postpone(services: Payments, id: string, attempts: number, error: unknown): Promise<void> {
  const now = services.clock.now();
  const dead = attempts >= maxEventAttempts;
  services.log[dead ? "error" : "warn"](
    { err: error, eventId: id, attempts },
    "an event of the payment provider could not be answered",
  );
  await settleEvent(services, id, {
    attempts,
    last_error: error instanceof Error ? error.message : String(error),
    next_try_at: new Date(now.getTime() + backoffSeconds(attempts) * 1000),
    dead_at: dead ? now : null,
  });
}

type EventFields = {
  processed_at?: Date;
  last_error: string | null;
  attempts?: number;
  next_try_at?: Date;
  dead_at?: Date | null;
};

const settleEvent = (services: Payments, id: string, fields: EventFields) =>
  services.database.transaction((tx) =>
    tx.updateTable("provider_events").set(fields).where("id", "=", id).where("processed_at", "is", null).execute(),
  );

type Answer = (services: Payments, gateway: PaymentGateway, hint: EventHint) => Promise<void>;

const askCheckout: Answer = async (services, gateway, hint) => {
  await recordCheckout(services, gateway, await gateway.retrieveCheckout(required(hint.objectId, hint)));
};

const askPayment: Answer = async (services, gateway, hint) => {
  const reported = await gateway.retrievePayment(
    required(hint.type.startsWith("charge.") ? hint.paymentRef : hint.objectId, hint),
  );
  await inTx(services, (tx) => syncPayment(tx, reported, syncContextOf(services, gateway)));
};

/** The charge first: a refund may be heard of before the money that it gives back. */
const askRefunds: Answer = async (services, gateway, hint) => {
  const ref = required(hint.paymentRef, hint);
  const payment = await gateway.retrievePayment(ref);
  const refunds = await gateway.findRefunds(ref);
  await inTx(services, async (tx) => {
    await syncPayment(tx, payment, syncContextOf(services, gateway));
    for (const refund of refunds) await syncRefund(tx, refund, services.clock.now());
  });
};

/** Which question an event makes us ask, by the beginning of its type; the first match counts. */
const answers: readonly (readonly [start: string, answer: Answer])[] = [
  ["checkout.session.", askCheckout],
  ["payment_intent.", askPayment],
  ["charge.refund", askRefunds],
  ["refund.", askRefunds],
  ["charge.dispute.", nobody],
  ["charge.", askPayment],
];

async function nobody(_services: Payments, _gateway: PaymentGateway, hint: EventHint): Promise<void> {
  throw new Error(`nobody answers ${hint.type}`);
}

async function fetchTruth(services: Payments, gateway: PaymentGateway, hint: EventHint): Promise<void> {
  const answer = answers.find(([start]) => hint.type.startsWith(start))?.[1] ?? nobody;
  await answer(services, gateway, hint);
}

async function inTx(services: Payments, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await services.database.transaction(work);
  services.wake();
}

function required(ref: string | null, hint: EventHint): string {
  if (ref === null) throw new Error(`${hint.type} names no object`);
  return ref;
}
