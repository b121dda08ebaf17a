import { expect, test } from "vitest";
import { savePlatformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

const good = { name: "Ada Long", email: "ada@example.test", subject: "Load-in", message: "When may we\nload in?" };
const send = (body: unknown) => app.request("/api/contact", { body });
const emails = async (to: string) =>
  (await (await app.request(`/api/dev/outbox?to=${to}`)).json()) as { subject: string; text: string; html: string }[];

test("stores a visitor's message, emails it to the support address of the settings and sends an acknowledgement", async () => {
  const values = { supportEmail: "doorkeeper@example.test" };
  await app.database.transaction((tx) => savePlatformSettings(tx, { values, version: 0, by: null }));
  const response = await send(good);
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ received: true });
  const kept = await app.database.db.selectFrom("contact_messages").selectAll().execute();
  expect(kept).toMatchObject([good]);
  const [forSupport] = await emails("doorkeeper@example.test");
  expect(forSupport?.subject).toBe("Contact: Load-in");
  expect(forSupport?.text).toContain("> load in?");
  const [thanks] = await emails("ada@example.test");
  expect(thanks?.subject).toBe("We received your message");
  expect(thanks?.text).not.toContain("load in");
  const support = await app.database.db
    .selectFrom("messages")
    .select("reply_to")
    .where("template", "=", "contact_message")
    .execute();
  expect(support).toEqual([{ reply_to: "ada@example.test" }]);
});

test.each([
  { ...good, email: "ada@example.test\r\nBcc: b@example.test" },
  { ...good, name: "" },
  { ...good, name: "A\nB" },
  { ...good, message: "   " },
  { ...good, message: "x".repeat(5001) },
  { ...good, subject: ["a"] },
  { ...good, role: "admin" },
  { name: "Ada" },
  [],
  "",
])("returns an error message and stores nothing for an invalid message: %j", async (body) => {
  const response = await send(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid", message: expect.stringMatching(/\w+/) as string });
  expect(await app.database.db.selectFrom("contact_messages").select("id").execute()).toHaveLength(1);
});

test("returns 405 for GET", async () => {
  expect((await app.request("/api/contact")).status).toBe(405);
});

test("limits one address to 50 messages", async () => {
  await using limited = await testApp({ env: { RATE_LIMITS: "on" } });
  const statuses: number[] = [];
  for (let at = 0; at < 51; at++) statuses.push((await limited.request("/api/contact", { body: good })).status);
  expect(statuses.slice(0, 50).every((status) => status === 201)).toBe(true);
  expect(statuses[50]).toBe(429);
});
