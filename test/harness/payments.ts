/** The payments module alone, for its own tests: a real database, the sandbox, and a server with this module's routes only. */

import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import Fastify from "fastify";
import { sql } from "kysely";
import { expect } from "vitest";
import type { PaymentGateway, Payments } from "#gateway/gateway.ts";
import { stripeGateway } from "#payments/adapters/stripe/gateway.ts";
import { openCheckout, openPayments, reservePayment } from "#payments/index.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { problemOf } from "#platform/http/problems.ts";
import { providerPlugin, processEvents } from "#reconciliation/index.ts";
import { testPlatform } from "#test/platform.ts";

export type PaymentsHarness = Awaited<ReturnType<typeof paymentsHarness>>;

/** Provider calls that a test may intercept. */
type Around = {
  [K in "createCheckout" | "createRefund" | "retrieveCheckout" | "expireCheckout" | "chargeCard" | "removeCard"]?: (
    real: PaymentGateway,
  ) => PaymentGateway[K];
};

/** Opens the module. `env` is parsed like the program's environment. `gateway` replaces the provider. */
export async function paymentsHarness(options: { env?: Record<string, string>; gateway?: PaymentGateway } = {}) {
  const ground = await testPlatform({ PORT: "0", ...options.env });
  const { database, clock } = ground;
  const opened = await openPayments(ground.services);
  const real = options.gateway ?? opened.services.gateway;
  const around: Around = {};
  const wrapped = <K extends keyof Around>(name: K) =>
    (around[name]?.(real as PaymentGateway) ?? real?.[name]) as PaymentGateway[K];
  const gateway: PaymentGateway | null = real && {
    ...real,
    createCheckout: (request) => wrapped("createCheckout")(request),
    createRefund: (request) => wrapped("createRefund")(request),
    retrieveCheckout: (ref) => wrapped("retrieveCheckout")(ref),
    expireCheckout: (ref) => wrapped("expireCheckout")(ref),
    chargeCard: (charge) => wrapped("chargeCard")(charge),
    removeCard: (method) => wrapped("removeCard")(method),
  };
  const services: Payments = { ...ground.services, ...opened.services, gateway };
  let deaf = false;
  const server = Fastify();
  server.addHook("onRequest", async (request, reply) => {
    if (deaf && request.url.startsWith("/api/webhooks/")) return reply.code(503).send();
  });
  server.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    return reply
      .code(problem?.status ?? 500)
      .send({ code: problem?.code ?? "internal", message: String(error), requestId: request.id });
  });
  await server.register(providerPlugin(services));
  await server.ready();
  const close = async () => {
    await server.close();
    await opened.close();
    await ground[Symbol.asyncDispose]();
  };
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => database.transaction(work);
  const harness = {
    server,
    services,
    clock,
    database,
    inTx,
    around,
    gatewayWithWrongKey: () => {
      const { host = "", port = 0 } = opened.services.sandbox ?? {};
      return stripeGateway({
        name: "stripe",
        installation: "",
        live: false,
        secretKey: "sk_test_another",
        webhookSecret: undefined,
        connectWebhookSecret: undefined,
        at: { host, port, protocol: "http" },
      });
    },
    start: async (
      given: {
        bookingId?: string;
        kind?: PaymentKind;
        amount?: number;
        currency?: string;
        saveCardNotice?: string;
        contractUrl?: string;
      } = {},
    ) => {
      const bookingId = given.bookingId ?? randomUUID();
      const intent = await inTx((tx) =>
        reservePayment(tx, {
          bookingId,
          kind: given.kind ?? "deposit",
          amount: given.amount ?? 37_500,
          currency: given.currency ?? "usd",
          title: "Deposit for Electric Dreams",
          details: ["Saturday 13 February 2027, 20:30", "The Waterworks, Austin"],
          payerEmail: "hannah@example.test",
          payerName: "Hannah Whitt",
          saveCardNotice: given.saveCardNotice ?? null,
          now: clock.now(),
        }),
      );
      const checkout = await openCheckout(services, intent.id, { ...addresses, contractUrl: given.contractUrl });
      return { bookingId, paymentId: intent.id, ...checkout };
    },
    /** Presses a button of the sandbox's page. `later`: the saved card's behavior when it is charged. */
    press: async (url: string, button: "pay" | "authenticate" | "decline" | "cancel", later = "works") => {
      const response = await server.inject({
        method: "POST",
        url: `${new URL(url).pathname}/${button}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: `later=${later}`,
      });
      await processEvents(services);
      return { status: response.statusCode, location: String(response.headers.location) };
    },
    paid: async () => {
      const started = await harness.start();
      await harness.press(started.url, "pay");
      return started;
    },
    /** Delivers every due webhook, and processes the stored ones. */
    settle: async () => {
      await services.sandbox?.settle();
      await processEvents(services);
    },
    /** Runs work whose webhooks never arrive. */
    unheard: async <T>(work: () => Promise<T>): Promise<T> => {
      deaf = true;
      return work().finally(() => {
        deaf = false;
      });
    },
    payment: (id: string) =>
      database.db.selectFrom("payments").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    /** Returns the published events of a booking, oldest first. */
    publishedEvents: async (bookingId: string) => {
      const rows = await database.db.selectFrom("event_outbox").select(["topic", "body"]).orderBy("id").execute();
      return (rows as { topic: string; body: Record<string, unknown> }[]).filter(
        (event) => event.body["bookingId"] === bookingId,
      );
    },
    topics: async (bookingId: string) => (await harness.publishedEvents(bookingId)).map((event) => event.topic),
    sessions: async (bookingId: string) => {
      const rows = await database.db
        .selectFrom("sandbox_objects")
        .select(["id", "body"])
        .where("kind", "=", "checkout.session")
        .execute();
      return rows.filter((row) => JSON.stringify(row.body).includes(bookingId)).map((row) => row.id);
    },
    balance: async (account: string) => {
      const rows = await database.db
        .selectFrom("ledger_entries")
        .select("amount")
        .where("account", "=", account)
        .execute();
      return rows.reduce((sum, row) => sum + row.amount, 0);
    },
    close,
  };
  return harness;
}

export const addresses = {
  successUrl: "http://localhost:3130/booking-success?session_id={CHECKOUT_SESSION_ID}",
  cancelUrl: "http://localhost:3130/book/electric-dreams",
};

const invariants = readFileSync(path.join(import.meta.dirname, "../../src/ledger/invariants.sql"), "utf8");

/** Fails if the ledger or a payment violates a rule of `invariants.sql`, which also applies to data of older versions. */
export async function expectValid(app: { inTx: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> }): Promise<void> {
  const { rows } = await app.inTx((tx) => sql.raw(invariants).execute(tx));
  expect(rows).toEqual([]);
}

/** Also fails if an artist owes what a call did not reverse while something waits to be sent to the artist. */
export async function expectSound(app: { inTx: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> }): Promise<void> {
  await expectValid(app);
  const { rows } = await app.inTx((tx) =>
    sql`
      select p.id as "owed and to be sent" from payouts p
      where exists (select 1 from transfers t where t.payout_id = p.id and t.status = 'failed' and not t.needs_lookup
          and t.amount > (select coalesce(sum(r.amount), 0) from transfer_reversals r where r.transfer_id = t.id))
        and exists (select 1 from transfer_reversals r join transfers t on t.id = r.transfer_id
          where t.payout_id = p.id and r.status = 'failed' and not r.needs_lookup)`.execute(tx),
  );
  expect(rows).toEqual([]);
}

export const signed = (secret: string, at: Date, body: string, scheme = "v1"): string => {
  const second = Math.floor(at.getTime() / 1000);
  return `t=${second},${scheme}=${createHmac("sha256", secret).update(`${second}.${body}`).digest("hex")}`;
};
