import { afterEach, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { renderEmail } from "../catalog/render-email.ts";
import { enqueueMessage } from "../index.ts";
import { type EditableEmail, editableEmails, type EmailRecipient, emailCatalog } from "./rules.ts";
import { exampleParams } from "./values.ts";

const app = closeAfterFile(await testApp());
const admin = await app.make.user({ role: "admin" });
const headers = await app.signIn(admin);
afterEach(() => app.database.transaction((tx) => tx.deleteFrom("email_templates").execute()));

const base = "/api/admin/email-templates";
async function call(method: string, address: string, body?: object) {
  const response = await app.request(`${base}${address}`, { method, headers, ...(body ? { body } : {}) });
  return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> };
}

async function sent(template: EditableEmail | "checkout_declined", reader: EmailRecipient = "promoter") {
  const link = "https://stagedoor.example/promoter/bookings";
  const example = exampleParams(template === "checkout_declined" ? "payment_failed" : template, reader, link);
  const params = { ...example, poster: "https://stagedoor.example/art/electric-dreams/share.png?v=1a2b3c" };
  const id = await app.database.transaction((tx) =>
    enqueueMessage(tx, { template, channel: "email", to: "hannah@example.test", params } as Parameters<
      typeof enqueueMessage
    >[1]),
  );
  if (id === undefined) return undefined;
  return app.database.db.selectFrom("messages").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

const pictureIn = (message: { html: string | null } | undefined) => message?.html?.match(/<img [^>]*>/g) ?? null;

const draft = {
  reader: "promoter",
  subject: "Hello {{promoter_name}}",
  text: "One & only <b>\n\n{{artist_name}} plays.",
};

test.each(editableEmails)("sends the edited text of %s, and the default after a restore", async (template) => {
  const before = await sent(template);
  const saved = await call("PUT", `/${template}/text`, { ...draft, version: 0 });
  expect(saved).toMatchObject({ status: 200, body: { version: 1 } });
  const after = await sent(template);
  expect(after?.subject).toBe("Hello Hannah Whitt");
  expect(after?.text).toContain("One & only <b>\n\nElectric Dreams plays.");
  expect(after?.html).toContain("One &amp; only &lt;b&gt;");
  expect(pictureIn(before), "the poster").toEqual(template === "payment_failed" ? null : [expect.any(String)]);
  expect(pictureIn(after)).toEqual(pictureIn(before));
  expect(after?.text).toContain("https://stagedoor.example/promoter/bookings");
  if (emailCatalog[template].texts.artist) expect((await sent(template, "artist"))?.subject).not.toContain("Hello");
  expect((await call("POST", `/${template}/restore`, { reader: "promoter", version: 1 })).status).toBe(200);
  expect(await sent(template)).toMatchObject({ subject: before?.subject, text: before?.text });
});

test.each(editableEmails.filter((name) => !emailCatalog[name].required))(
  "does not send %s while it is disabled, but still sends its SMS",
  async (template) => {
    expect((await call("PUT", `/${template}/active`, { active: false, version: 0 })).body).toMatchObject({
      active: false,
    });
    expect(await sent(template)).toBeUndefined();
    const params = exampleParams(template, "promoter", "https://stagedoor.example/");
    if (renderEmail(template, params).sms !== undefined) {
      const message = { template, channel: "sms", to: "+15125550199", params } as Parameters<typeof enqueueMessage>[1];
      expect(await app.database.transaction((tx) => enqueueMessage(tx, message))).toBeDefined();
    }
    await call("PUT", `/${template}/active`, { active: true, version: 1 });
    expect(await sent(template)).toBeDefined();
  },
);

test("refuses to disable the email with the signing link and returns the reason", async () => {
  const response = await call("PUT", "/contract_sent/active", { active: false, version: 0 });
  expect(response.status).toBe(400);
  expect(JSON.stringify(response.body)).toContain("It contains the signing link");
  expect(await sent("contract_sent")).toBeDefined();
});

test("applies the settings of Payment Failed to a card that was declined at the open checkout", async () => {
  await call("PUT", "/payment_failed/text", { ...draft, version: 0 });
  expect((await sent("checkout_declined"))?.subject).toBe("Hello Hannah Whitt");
  await call("PUT", "/payment_failed/active", { active: false, version: 1 });
  expect(await sent("checkout_declined")).toBeUndefined();
});

test("logs the admin, the email and the new text", async () => {
  await call("PUT", "/deposit_received/text", { ...draft, version: 0 });
  const entry = await app.database.db
    .selectFrom("activity")
    .select(["message", "meta", "actor_id"])
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    message: 'The email "Deposit Received" to the promoter was reworded',
    meta: { template: "deposit_received", subject: draft.subject },
    actor_id: admin.id,
  });
});

test("refuses an unknown variable at its field, for saving, preview and test", async () => {
  const wrong = { ...draft, text: "{{password}}" };
  const answers = [
    await call("PUT", "/deposit_received/text", { ...wrong, version: 0 }),
    await call("POST", "/preview", { template: "deposit_received", ...wrong }),
    await call("POST", "/test", { template: "deposit_received", ...wrong }),
  ];
  for (const response of answers) {
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain('"field":"text"');
    expect(JSON.stringify(response.body)).toContain("{{password}} is not a variable of this email");
  }
  expect(await app.database.db.selectFrom("email_templates").selectAll().execute()).toEqual([]);
});

test("refuses a recipient that the email does not have", async () => {
  const wrong = await call("PUT", "/payment_failed/text", { ...draft, reader: "artist", version: 0 });
  expect(wrong.status).toBe(400);
  expect((await call("POST", "/payment_failed/restore", { reader: "artist", version: 0 })).status).toBe(400);
});

test("refuses a change of an outdated version", async () => {
  await call("PUT", "/deposit_received/text", { ...draft, version: 0 });
  const stale = await call("PUT", "/deposit_received/text", { ...draft, subject: "Other", version: 0 });
  expect(stale.status).toBe(409);
  expect((await sent("deposit_received"))?.subject).toBe("Hello Hannah Whitt");
});

test("sends a test of the draft to the admin and stores no text of it", async () => {
  const response = await call("POST", "/test", { template: "deposit_received", ...draft });
  expect(response).toMatchObject({ status: 200, body: { to: admin.email } });
  const mail = await app.database.db
    .selectFrom("messages")
    .select(["subject", "template", "channel"])
    .where("recipient", "=", admin.email)
    .execute();
  expect(mail).toEqual([{ subject: "Test: Hello Hannah Whitt", template: "deposit_received", channel: "email" }]);
  expect((await sent("deposit_received"))?.subject).not.toContain("Hello");
});

test("previews the email as it would be sent, escaped", async () => {
  const { body } = await call("POST", "/preview", { template: "deposit_received", ...draft });
  expect(body).toMatchObject({ subject: "Hello Hannah Whitt", from: expect.stringContaining("@") });
  expect(body["html"]).toContain("One &amp; only &lt;b&gt;");
  expect(body["html"]).not.toContain("<script");
  expect(body["html"]).not.toContain("<img");
  await app.make.artist({ name: "Electric Dreams" });
  const posters = (template: string) => call("POST", "/preview", { template, ...draft });
  expect((await posters("deposit_received")).body["html"]).toMatch(/<img [^>]*\/art\/electric-dreams\/share\.png\?v=/);
  expect((await posters("payment_failed")).body["html"]).not.toContain("<img");
});

test("sends the default if the stored text is no longer allowed", async () => {
  await app.database.transaction((tx) =>
    tx
      .insertInto("email_templates")
      .values({
        template: "deposit_received",
        texts: JSON.stringify({ promoter: { subject: "{{gone}}", text: "x" } }),
      })
      .execute(),
  );
  expect((await sent("deposit_received"))?.subject).toBe("We received your deposit of $375");
});
