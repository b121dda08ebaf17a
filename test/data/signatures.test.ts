/**
 * The signature corpus for every endpoint that verifies a signature: the card provider's two, and that of the signing
 * services with DocuSeal's and DocuSign's signatures. Uses real sockets, because repeated or huge headers exist only there.
 */

import { request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docusignDouble } from "#test/harness/esign/docusign-double.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import {
  believedDeliveries,
  casesFor,
  docusealScheme,
  docusignScheme,
  type Headers,
  refusedDeliveries,
  type SignatureScheme,
  signedDelivery,
  stripeScheme,
} from "./signature-corpus.ts";

const secrets = { docuseal: "whsec-docuseal-of-the-corpus", docusign: "connect-key-of-the-corpus" };
const apps: Record<keyof typeof secrets, TestApp | undefined> = { docuseal: undefined, docusign: undefined };
let accountId = "";
const requireApp = (service: keyof typeof secrets): TestApp => {
  const app = apps[service];
  if (!app) throw new Error(`there is no app with ${service}`);
  return app;
};

beforeAll(async () => {
  const docusign = await docusignDouble(() => new Date());
  // No contract is sent here, so the account's settings are enough.
  await docusign.close();
  accountId = docusign.env["ESIGN_ACCOUNT_ID"] ?? "";
  apps.docuseal = await testApp({
    env: { ESIGN_PROVIDER: "docuseal", ESIGN_API_KEY: "key", ESIGN_WEBHOOK_SECRET: secrets.docuseal },
  });
  apps.docusign = await testApp({ env: { ...docusign.env, ESIGN_WEBHOOK_SECRET: secrets.docusign } });
  for (const app of Object.values(apps)) await app?.server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app?.close();
});

const cardSecret = (endpoint: "account" | "connect") => {
  const { sandbox } = requireApp("docuseal").services;
  const secret = endpoint === "account" ? sandbox?.webhookSecret : sandbox?.connectWebhookSecret;
  if (!secret) throw new Error("the sandbox has no secret");
  return secret;
};
const cardEvent = (number: number, more: object = {}) =>
  JSON.stringify({
    id: `evt_corpus_${number}`,
    object: "event",
    type: "nobody.asked",
    livemode: false,
    data: { object: { id: "cs_test_1" } },
    ...more,
  });
const generated = (number: number) => new Date(Date.UTC(2026, 10, 22) + number * 1_000).toISOString();

const schemes: Record<string, { service: keyof typeof secrets; scheme: SignatureScheme }> = {
  "the card provider's webhook": {
    service: "docuseal",
    scheme: stripeScheme("/api/webhooks/stripe", {
      secret: () => cardSecret("account"),
      otherSecrets: () => [cardSecret("connect"), secrets.docuseal, secrets.docusign],
      now: () => requireApp("docuseal").services.clock.now(),
      event: (number) => cardEvent(number),
    }),
  },
  "the card provider's webhook about artists' accounts": {
    service: "docuseal",
    scheme: stripeScheme("/api/webhooks/stripe/connect", {
      secret: () => cardSecret("connect"),
      otherSecrets: () => [cardSecret("account"), secrets.docuseal, secrets.docusign],
      now: () => requireApp("docuseal").services.clock.now(),
      event: (number) => cardEvent(number + 1_000, { account: "acct_1" }),
    }),
  },
  "the signing service's webhook, DocuSeal": {
    service: "docuseal",
    scheme: docusealScheme({
      secret: () => secrets.docuseal,
      otherSecrets: () => [cardSecret("account"), cardSecret("connect"), secrets.docusign],
      now: () => requireApp("docuseal").services.realClock.now(),
      event: (number) =>
        JSON.stringify({
          event_type: "submission.completed",
          timestamp: generated(number),
          data: { id: 7_000 + number, submitters: [] },
        }),
    }),
  },
  "the signing service's webhook, DocuSign": {
    service: "docusign",
    scheme: docusignScheme({
      secret: () => secrets.docusign,
      otherSecrets: () => [cardSecret("account"), cardSecret("connect"), secrets.docuseal],
      now: () => requireApp("docusign").services.realClock.now(),
      event: (number) =>
        JSON.stringify({
          event: "envelope-completed",
          generatedDateTime: generated(number),
          data: { accountId, envelopeId: `0a1b-${number}` },
        }),
    }),
  },
};

/** Posts over a socket. A list of values is sent as repeated headers. */
async function post(app: TestApp, url: string, { body, headers }: { body: string; headers: Headers }) {
  const { port } = app.server.server.address() as AddressInfo;
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const call = send(
      {
        port,
        host: "127.0.0.1",
        path: url,
        method: "POST",
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.once("error", reject);
        response.once("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
          });
        });
      },
    );
    call.once("error", reject);
    call.end(body);
  });
}

async function rowCounts(app: TestApp): Promise<Record<string, number>> {
  const { db } = app.database;
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() order by 1`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}
const stored = async (app: TestApp) =>
  (await app.database.db.selectFrom("provider_events").select("id").execute()).length;

describe.each(Object.entries(schemes))("%s", (_name, { service, scheme }) => {
  const app = () => requireApp(service);
  let before: Record<string, number> = {};
  beforeAll(async () => {
    before = await rowCounts(app());
  });

  test.each(casesFor(scheme, refusedDeliveries))("refuses %s", async (_case, { status, make }) => {
    const had = await stored(app());
    const response = await post(app(), scheme.url, make(scheme, scheme.event(0)));
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body).toMatchObject({ code: "invalid" });
    expect(await stored(app())).toBe(had);
  });

  test("stores nothing in any table for refused deliveries", async () => {
    expect(Object.keys(before).length).toBeGreaterThan(40);
    expect(await rowCounts(app())).toEqual(before);
  });

  test.each(casesFor(scheme, believedDeliveries).map((one, index) => [...one, index + 1] as const))(
    "accepts %s",
    async (_case, { status, make }, number) => {
      const had = await stored(app());
      expect((await post(app(), scheme.url, make(scheme, scheme.event(number)))).status).toBe(status);
      expect(await stored(app())).toBe(had + 1);
    },
  );

  test("stores a replayed delivery once, even with a later signature", async () => {
    const had = await stored(app());
    const first = signedDelivery(scheme, scheme.event(100), { seconds: -10 });
    const later = signedDelivery(scheme, scheme.event(100));
    for (const delivery of [first, first, later, first])
      expect((await post(app(), scheme.url, delivery)).status).toBe(200);
    expect(await stored(app())).toBe(had + 1);
  });
});

describe.each([
  ["no secret", undefined],
  ["an empty secret", ""],
  ["a blank secret", "  "],
])("with %s", (_name, secret) => {
  const signed = (scheme: SignatureScheme, key: string) => signedDelivery(scheme, scheme.event(0), { secret: key });
  const env = (service: keyof typeof secrets): Record<string, string> => ({
    ESIGN_PROVIDER: service,
    ESIGN_API_KEY: "key",
    STRIPE_SECRET_KEY: "sk_test_of_the_corpus",
    ...(secret === undefined
      ? {}
      : {
          ESIGN_WEBHOOK_SECRET: secret,
          STRIPE_WEBHOOK_SECRET: secret,
          STRIPE_CONNECT_WEBHOOK_SECRET: secret,
        }),
  });
  const codes: Record<string, string> = {
    "the card provider's webhook": "unavailable",
    "the card provider's webhook about artists' accounts": "connect_webhook_secret_missing",
    "the signing service's webhook, DocuSeal": "no_secret",
    "the signing service's webhook, DocuSign": "no_secret",
  };

  test.each(["docuseal", "docusign"] as const)(
    "returns 503 with its code for every webhook, regardless of its signature (%s)",
    async (service) => {
      await using app = await testApp({ env: env(service) });
      await app.server.listen({ port: 0, host: "127.0.0.1" });
      const before = await rowCounts(app);
      for (const [name, { service: its, scheme }] of Object.entries(schemes)) {
        if (its !== service && scheme.url === "/api/webhooks/esign") continue;
        for (const key of ["", "undefined", "null", "  ", secret ?? ""]) {
          const { status, body } = await post(app, scheme.url, signed(scheme, key));
          expect([status, body["code"]], `${name} signed with “${key}”`).toEqual([503, codes[name]]);
        }
      }
      expect(await rowCounts(app)).toEqual(before);
    },
  );
});
