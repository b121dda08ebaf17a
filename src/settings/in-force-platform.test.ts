import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { closeDelivery, deliverMessages } from "#delivery/index.ts";
import { enqueueMessage, isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { startMailServer } from "#test/harness/servers/mail-server.ts";
import { type JsonBody, testApp } from "#test/test-app.ts";
import { readAttachment } from "../app/attachments.ts";
import type { PlatformSettings } from "./rules.ts";

const app = closeAfterFile(await testApp());
const admin = await app.make.user({ role: "admin", name: "Ines Halvorsen" });
const headers = await app.signIn(admin);

type Document = {
  version: number;
  values: PlatformSettings;
  esign_keys: Record<"docuseal" | "docusign", { stored: boolean; ending: string }>;
  saved_by: string | null;
};

const call = <Body = JsonBody>(method: string, address: string, body?: object) =>
  app.json<Body>(address, { method, headers, ...(body ? { body } : {}) });
const read = async () => (await call<Document>("GET", "/api/admin/settings")).body;
async function save(values: object, expected = 200) {
  const { version } = await read();
  const { status, body } = await call<Document>("PATCH", "/api/admin/settings", { values, version });
  expect(status, JSON.stringify(body)).toBe(expected);
  return body;
}
const log = () =>
  app.database.db
    .selectFrom("activity")
    .select(["message", "meta", "actor_id"])
    .orderBy("created_at", "desc")
    .execute();

async function checked() {
  const artist = await app.make.artist({ location: "Austin, Texas", baseRate: 150_000 });
  const visitor = browser(app);
  const { body } = await visitor.check({ artistId: artist.slug, eventDate: dayAhead(app, 60), eventTime: "20:30" });
  return { artist, visitor, price: body["price"] as Record<string, unknown> };
}

test("applies deposit, currency, platform fee and policy to new requests and not to existing bookings", async () => {
  const before = await checked();
  const { body: old } = await before.visitor.requestBooking({ artistId: before.artist.slug });
  await save({ depositPercent: 40, currency: "eur", commissionBps: 500, policyName: "strict" });
  const after = await checked();
  const terms = { deposit_percent: 40, currency: "eur", policy_name: "strict" };
  expect(after.price).toMatchObject({ ...terms, deposit_cents: 60_000 });
  const { body: fresh } = await after.visitor.requestBooking({ artistId: after.artist.slug });
  const row = (id: string) =>
    app.database.db
      .selectFrom("bookings")
      .select(["deposit_percent", "currency", "commission_bps", "policy_name"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  expect(await row(fresh.id)).toEqual({ ...terms, commission_bps: 500 });
  const former = { deposit_percent: 25, currency: "usd", commission_bps: 1000, policy_name: "standard" };
  expect(await row(old.id)).toEqual(former);
  await save({ depositPercent: 25, currency: "usd", commissionBps: 1000, policyName: "standard" });
});

test("applies the time zone to the last day of the overview", async () => {
  const days = new Set<string>();
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    await save({ timeZone });
    days.add((await call("GET", "/api/admin/overview")).body["to"] ?? "");
  }
  expect(days.size).toBe(2);
  await save({ timeZone: "America/New_York" });
});

test("applies brand, logo and support address to the next page", async () => {
  await save({
    primaryColor: "#0F7B5F",
    logoUrl: "https://pictures.example/logo.svg",
    supportEmail: "support@example.test",
    termsUrl: "https://act.test/terms",
  });
  expect((await app.json("/api/settings/public")).body).toMatchObject({
    primaryColor: "#0f7b5f",
    logoUrl: "https://pictures.example/logo.svg",
    supportEmail: "support@example.test",
    legalPages: [{ label: "Terms", href: "https://act.test/terms" }],
  });
});

test("applies footer, brand, legal pages and support address to the next email", async () => {
  await save({
    emailFooter: "Live music since 1979.",
    primaryColor: "#d32f2f",
    privacyUrl: "https://act.test/privacy",
  });
  const response = await app.request("/api/contact", {
    body: { name: "Ada", email: "ada@example.test", subject: "", message: "Hello" },
  });
  expect(response.status).toBe(201);
  const email = await app.database.db
    .selectFrom("messages")
    .selectAll()
    .where("template", "=", "contact_message")
    .executeTakeFirstOrThrow();
  expect(email.recipient).toBe("support@example.test");
  expect(email.text).toContain("Live music since 1979.");
  expect(email.text).toContain("Privacy: https://act.test/privacy");
  expect(email.html).toContain('href="https://act.test/privacy"');
  expect(
    (await deliverMessages(app.services, { readAttachment, isAccountNotice, isErased, isSecret, templateTitle }))
      .failed,
  ).toBe(0);
});

test("applies the saved sender and reply-to address to the next email", async () => {
  const server = await startMailServer();
  const services = { ...app.services, config: { ...app.services.config, smtpUrl: server.url } };
  const heads = async () => {
    await app.database.transaction((tx) =>
      enqueueMessage(tx, {
        template: "contact_acknowledgement",
        channel: "email",
        to: "ada@example.test",
        params: { supportEmail: "help@example.test" },
      }),
    );
    expect(
      (await deliverMessages(services, { readAttachment, isAccountNotice, isErased, isSecret, templateTitle })).failed,
    ).toBe(0);
    const { from, replyTo } = await PostalMime.parse(server.received.at(-1) ?? "");
    return [from?.address, replyTo?.[0]?.address];
  };
  try {
    await save({ fromEmail: "stage@venue.example", replyToEmail: "office@venue.example" });
    expect(await heads()).toEqual(["stage@venue.example", "office@venue.example"]);
    await save({ fromEmail: "shows@venue.example", replyToEmail: "box@venue.example" });
    expect(await heads()).toEqual(["shows@venue.example", "box@venue.example"]);
  } finally {
    closeDelivery(services.config);
    await server.close();
  }
});

test("logs who changed what, before and after, and nothing for an unchanged value", async () => {
  const { version } = await save({ depositPercent: 30 });
  const [entry] = await log();
  expect(entry?.message).toBe("The platform's settings were changed: depositPercent");
  expect(entry?.meta).toEqual({ depositPercent: { before: 25, after: 30 } });
  expect(entry?.actor_id).toBe(admin.id);
  expect((await read()).saved_by).toBe("Ines Halvorsen");
  const before = (await log()).length;
  await call<Document>("PATCH", "/api/admin/settings", { values: { depositPercent: 30 }, version });
  expect(await log()).toHaveLength(before);
});

test.each([
  ["depositPercent", 0],
  ["depositPercent", 101],
  ["commissionBps", 5001],
  ["currency", "doubloon"],
  ["timeZone", "Mars/Olympus"],
  ["primaryColor", "red"],
  ["logoUrl", "http://pictures.example/logo.svg"],
  ["fromEmail", "nobody"],
  ["fromEmail", "a@example.test\r\nBcc: b@example.test"],
  ["esignApiKey", "sent the wrong way"],
])("refuses %s with %s", async (name, value) => {
  const before = await read();
  await save({ [name]: value }, 400);
  expect(await read()).toEqual(before);
});

const putKey = (service: "docuseal" | "docusign", apiKey: string) =>
  call("PUT", "/api/admin/settings/esign-key", { service, api_key: apiKey });

test("never returns nor logs the signing keys, except the last characters of a long one", async () => {
  const key = "key-of-the-signing-service-3f9a";
  const none = { stored: false, ending: "" };
  const stored = await putKey("docuseal", key);
  expect(stored.status).toBe(200);
  expect((await read()).esign_keys).toEqual({ docuseal: { stored: true, ending: "3f9a" }, docusign: none });
  expect(JSON.stringify([stored, await read(), await log()])).not.toContain("key-of-the");
  const [entry] = await log();
  expect(entry?.message).toBe("The key of the signing service DocuSeal was replaced");
  await putKey("docusign", "short");
  await putKey("docuseal", "");
  expect((await read()).esign_keys).toEqual({ docuseal: none, docusign: { stored: true, ending: "" } });
  await putKey("docusign", "");
  expect((await read()).esign_keys).toEqual({ docuseal: none, docusign: none });
  expect((await call("PUT", "/api/admin/settings/esign-key", { service: "embedded", api_key: key })).status).toBe(400);
});

describe("while contracts are open at a signing service", () => {
  const message = "1 contract is still open at DocuSeal. Change its key once they are signed or have ended.";
  const contractAt = async (lastPolledAt: Date) => {
    const booking = await app.make.booking({ status: "contract_sent" });
    const change = (values: object) =>
      app.database.db.updateTable("contracts").set(values).where("booking_id", "=", booking.id).execute();
    await change({ provider: "docuseal", provider_ref: booking.id, provider_polled_at: lastPolledAt });
    return () => change({ signed_status: "signed", signed_at: app.clock.now() });
  };

  test("allows another service, and the open contracts finish at theirs", async () => {
    await putKey("docuseal", "the-key-of-docuseal");
    await save({ esignProvider: "docuseal" });
    const end = await contractAt(app.clock.now());
    expect((await save({ esignProvider: "embedded" })).values.esignProvider).toBe("embedded");
    await end();
  });

  test("refuses another key until they have ended, unless the stored one does not work any more", async () => {
    const put = (key: string) => putKey("docuseal", key);
    await put("the-key-of-docuseal");
    const end = await contractAt(app.clock.now());
    expect((await put("the-key-of-docuseal")).status).toBe(200);
    for (const key of ["another-key", ""]) expect(await put(key)).toMatchObject({ status: 409, body: { message } });
    expect((await putKey("docusign", "a-key-of-the-other-service")).status).toBe(200);
    await end();
    expect((await put("another-key")).status).toBe(200);
    await contractAt(new Date(app.clock.now().getTime() - 31 * minuteMs));
    expect((await put("a-third-key")).status).toBe(200);
  });

  test("refuses a service that is not set up on this server", async () => {
    const response = await save({ esignProvider: "docusign" }, 400);
    expect(response).toMatchObject({ data: { fields: [{ field: "values.esignProvider" }] } });
  });

  test("refuses a service without a stored key", async () => {
    await app.database.db
      .updateTable("contracts")
      .set({ signed_status: "signed" })
      .where("provider", "=", "docuseal")
      .execute();
    expect((await putKey("docuseal", "")).status).toBe(200);
    expect(await save({ esignProvider: "docuseal" }, 400)).toMatchObject({
      data: { fields: [{ field: "values.esignProvider", message: "Save the API key of DocuSeal first." }] },
    });
  });
});

test("returns in words what the test of the signing service tried", async () => {
  const { body } = await call("POST", "/api/admin/settings/test-esign", {});
  expect(body).toMatchObject({ ok: true, message: expect.stringContaining("its keys work") });
});

test("verifies the webhook's signed test without storing it, and returns the outcome of the last delivery", async () => {
  const state = async () => (await call("GET", "/api/admin/webhooks/stripe")).body;
  const events = () => app.database.db.selectFrom("provider_events").select("id").execute();
  expect(await state()).toMatchObject({ path: "/api/webhooks/stripe", has_secret: true, last_verified: null });
  expect((await call("POST", "/api/admin/webhooks/stripe/test", {})).body).toMatchObject({ ok: true });
  expect(await events()).toEqual([]);
  const artist = await app.make.artist({ location: "Austin, Texas" });
  const visitor = browser(app);
  const { body } = await visitor.requestBooking({ artistId: artist.slug });
  const { body: checkout } = await visitor.checkout(body);
  await app.server.inject({ method: "POST", url: `${new URL(String(checkout["checkout_url"])).pathname}/pay` });
  await app.services.sandbox?.settle();
  await app.settle();
  expect(await state()).toMatchObject({ last_verified: { state: "processed", error: null } });
});

test("allows only admins to read and change the platform's settings", async () => {
  for (const role of ["artist", "promoter"] as const) {
    const other = await app.signIn(await app.make.user({ role }));
    expect((await app.request("/api/admin/settings", { headers: other })).status).toBe(403);
  }
  expect((await app.request("/api/admin/settings")).status).toBe(401);
});

test("retries an event of the card provider that failed, once at a time, with its reason and an entry in the log", async () => {
  const { db } = app.database;
  const known = await db
    .selectFrom("provider_events")
    .selectAll()
    .orderBy("received_at", "desc")
    .executeTakeFirstOrThrow();
  const dead = { processed_at: null, attempts: 8, dead_at: app.clock.now(), next_try_at: app.clock.now() };
  await db
    .updateTable("provider_events")
    .set({ ...dead, last_error: "away" })
    .where("id", "=", known.id)
    .execute();
  const unknown = { ...known, ...dead, id: "evt_unknown", type: "topup.created", last_error: "unknown" };
  const payload = JSON.stringify({ ...(known.payload as object), id: unknown.id, type: unknown.type });
  await db
    .insertInto("provider_events")
    .values({ ...unknown, payload })
    .execute();
  const failed = async () => {
    const { body } = await call("GET", "/api/admin/webhooks/stripe");
    return Object.fromEntries(
      (body["failed"] as unknown as { id: string; error: string }[]).map(({ id, error }) => [id, error]),
    );
  };
  const retry = (id: string) => call("POST", `/api/admin/provider-events/${id}/retry`, {});
  const reason = "there is no handler for topup.created";
  expect(await failed()).toEqual({ [known.id]: "away", [unknown.id]: "unknown" });
  expect((await retry(unknown.id)).body).toEqual({ error: reason });
  expect(await failed()).toEqual({ [known.id]: "away", [unknown.id]: reason });
  const both = await Promise.all([retry(known.id), retry(known.id)]);
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
  expect((await retry(known.id)).status).toBe(409);
  expect(await failed()).toEqual({ [unknown.id]: reason });
  const entries = await db
    .selectFrom("activity")
    .select(["message", "actor_id"])
    .where("ref_id", "in", [known.id, unknown.id])
    .orderBy("position")
    .execute();
  expect(entries).toEqual([
    { message: `The event topup.created of the card provider was retried: ${reason}`, actor_id: expect.any(String) },
    {
      message: `The event ${known.type} of the card provider was retried: it was processed`,
      actor_id: expect.any(String),
    },
  ]);
});
