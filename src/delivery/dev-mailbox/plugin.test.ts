import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enqueueMessage, templateTitle } from "#notifications/index.ts";
import { readConfig } from "#platform/config.ts";
import { examples } from "#test/factories/emails.ts";
import { testPlatform } from "#test/platform.ts";
import { devMailboxPlugin } from "../index.ts";

let platform: Awaited<ReturnType<typeof testPlatform>>;
let app: FastifyInstance;
let emailId: string;

const options = { readAttachment: async () => signedCopy, titleOf: templateTitle, clockProblems: { moving: "Wait." } };

beforeAll(async () => {
  platform = await testPlatform();
  app = Fastify();
  await app.register(cookie);
  await app.register(devMailboxPlugin(platform.services, options));
  const gig = {
    number: "SD-7KQ4MN",
    artistName: "Electric Dreams",
    promoterName: "Hannah Whitt",
    eventDate: "2027-02-13",
    venueName: "Hall <b>9</b>",
    link: "https://example.test/x",
  };
  const to = "Hannah@whitt.example";
  emailId =
    (await platform.database.transaction((tx) =>
      enqueueMessage(tx, { template: "hold_ended", channel: "email", to, params: gig }),
    )) ?? "";
  await platform.database.transaction((tx) =>
    enqueueMessage(tx, {
      template: "one_time_code",
      channel: "sms",
      to: "+15125550199",
      params: { code: "482913", minutes: 10 },
    }),
  );
});
afterAll(async () => {
  await app.close();
  await platform[Symbol.asyncDispose]();
});

const get = (url: string) => app.inject({ url });
const signedCopy = Buffer.from(`%PDF-1.7 ${"signed".repeat(300)}`);

test("lists messages newest first, or those of one address, over the API", async () => {
  const all = (await get("/api/dev/outbox")).json<{ to: string; channel: string }[]>();
  expect(all.map((one) => one.channel)).toEqual(["sms", "email"]);
  expect(Object.keys(all[0] ?? {}).sort()).toEqual(["at", "attachments", "channel", "html", "subject", "text", "to"]);
  const hers = (await get("/api/dev/outbox?to=hannah@WHITT.example")).json<{ to: string }[]>();
  expect(hers.map((one) => one.to)).toEqual(["Hannah@whitt.example"]);
  expect((await get("/api/dev/outbox?to=nobody@example.test")).json()).toEqual([]);
});

test("displays an email as page, text and source", async () => {
  const page = await get(`/dev/outbox?id=${emailId}`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(
    `<iframe class="email" title="Email" src="/dev/outbox/${emailId}/email" sandbox="allow-popups`,
  );
  expect(page.body).toContain("Saturday 13 February is no longer held for you");
  expect(page.headers["content-security-policy"]).not.toContain("unsafe");
  const text = await get(`/dev/outbox?id=${emailId}&view=text`);
  expect(text.body).toContain("Hall &lt;b&gt;9&lt;/b&gt;");
  const source = await get(`/dev/outbox?id=${emailId}&view=source`);
  expect(source.body).toContain("&lt;html");
  expect(source.body).not.toContain("<b>9</b>");
});

test("displays the time zone of a message in the list and beside the message", async () => {
  const page = (await get(`/dev/outbox?id=${emailId}`)).body;
  expect(page).toMatch(/<span>\d\d:\d\d E[SD]T<\/span>/);
  expect(page).toMatch(/<dd>\w+day \d+ \w+ \d{4}, \d\d:\d\d \(US Eastern\)<\/dd>/);
});

test("uses the site's styles and the platform's brand color", async () => {
  const page = (await get("/dev/outbox")).body;
  expect(page).toContain('<link rel="stylesheet" href="/static/site.css">');
  expect(page).not.toContain("<style");
  expect((await get("/dev/outbox/brand.css")).body).toBe(":root { --brand: #6366f1; }");
  expect((await get("/dev/outbox/styles.css")).headers["content-type"]).toContain("text/css");
});

test("displays an email without scripts and in its own origin", async () => {
  const email = await get(`/dev/outbox/${emailId}/email`);
  expect(email.statusCode).toBe(200);
  expect(email.headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox allow-popups/);
  const { origin } = new URL(platform.services.config.publicUrl);
  expect(email.headers["content-security-policy"]).toContain(`; img-src ${origin};`);
  expect(email.body).toContain('<base target="_blank"');
});

test("searches by recipient, subject and channel, and reports an empty result", async () => {
  expect((await get("/dev/outbox?q=WHITT")).body).toContain("Hannah@whitt.example");
  const sms = (await get("/dev/outbox?channel=sms")).body;
  expect(sms).toContain("+15125550199");
  expect(sms).not.toContain("Hannah@whitt.example");
  expect((await get("/dev/outbox?q=%25nobody")).body).toContain("No message matches");
});

test("returns 404 for an unknown message and ignores unknown query values", async () => {
  expect((await get("/dev/outbox?id=8a7b1f9e-0000-4000-8000-000000000001")).statusCode).toBe(404);
  expect((await get("/dev/outbox?id=';drop")).statusCode).toBe(404);
  expect((await get("/dev/outbox/nonsense/email")).statusCode).toBe(404);
  expect((await get("/dev/outbox?view=x&channel=fax&q=a&q=b")).statusCode).toBe(200);
});

test("returns 404 outside demo mode", async () => {
  const bare = Fastify();
  await bare.register(devMailboxPlugin({ ...platform.services, config: readConfig({ DEMO: "0" }) }, options));
  for (const url of ["/dev/outbox", "/api/dev/outbox", `/dev/outbox/${emailId}/email`]) {
    expect((await bare.inject({ url })).statusCode, url).toBe(404);
  }
  await bare.close();
});

test("lists an attachment with its size and serves it for download", async () => {
  const id = await platform.database.transaction((tx) =>
    enqueueMessage(tx, {
      template: "contract_signed",
      channel: "email",
      to: "attached@example.test",
      params: examples.contract_signed,
      attachment: { name: "contract-SD-7KQ4MN-signed.pdf", kind: "signed_contract", id: randomUUID() },
    }),
  );
  const url = `/dev/outbox/${id}/attachment`;
  const listed = (await get("/api/dev/outbox?to=attached@example.test")).json<{ attachments: object[] }[]>();
  expect(listed[0]?.attachments).toEqual([{ name: "contract-SD-7KQ4MN-signed.pdf", url }]);
  expect((await get(`/dev/outbox?id=${id}`)).body).toContain(
    `<a href="${url}">contract-SD-7KQ4MN-signed.pdf</a> (2 kB)`,
  );
  const file = await get(url);
  expect(file.headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="contract-SD-7KQ4MN-signed.pdf"',
  });
  expect(file.rawPayload.equals(signedCopy)).toBe(true);
  expect((await get(`/dev/outbox/${emailId}/attachment`)).statusCode).toBe(404);
});
