/** Delivery against a real SMTP server on loopback, and a double that speaks Twilio's form protocol. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { Readable } from "node:stream";
import PostalMime from "postal-mime";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "#platform/config.ts";
import type { Database } from "#platform/db/index.ts";
import { examples } from "#test/factories/emails.ts";
import { startMailServer } from "#test/harness/mail-server.ts";
import { testPlatform } from "#test/platform.ts";
import { closeDelivery, deliverMessages } from "./index.ts";
import { enqueueMessage, isErased, isSecret, templateTitle } from "#notifications/index.ts";

let platform: Awaited<ReturnType<typeof testPlatform>>;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(async () => platform[Symbol.asyncDispose]());

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const listening = (server: { listen: Server["listen"] }) =>
  new Promise<number>((resolve) => {
    const bound = server.listen(0, "127.0.0.1", () => resolve((bound.address() as AddressInfo).port)) as Server;
  });

async function mailServer(options?: SMTPServerOptions) {
  const server = await startMailServer(options);
  open.push(server.close);
  return server;
}

async function testDelivery(env: Record<string, string>) {
  const services = { ...platform.services, config: readConfig({ DEMO: "1", ...env }) };
  open.push(() => closeDelivery(services.config));
  const { db } = platform.database;
  const copy: { bytes: Buffer | undefined } = { bytes: Buffer.from("%PDF-1.7 signed") };
  const transaction: Database["transaction"] = (work) => platform.database.transaction(work);
  await transaction((tx) => tx.deleteFrom("messages").execute());
  return {
    code: (channel: "email" | "sms", to: string) =>
      transaction((tx) =>
        enqueueMessage(tx, { template: "one_time_code", channel, to, params: { code: "482913", minutes: 10 } }),
      ),
    contact: (to: string) =>
      transaction((tx) =>
        enqueueMessage(tx, {
          template: "contact_acknowledgement",
          channel: "email",
          to,
          params: { supportEmail: "help@example.test" },
          replyTo: "ada@example.test",
        }),
      ),
    copy,
    signed: (to: string) =>
      transaction((tx) =>
        enqueueMessage(tx, {
          template: "contract_signed",
          channel: "email",
          to,
          params: { ...examples.contract_signed },
          attachment: { name: "contract-SD-7KQ4MN-signed.pdf", kind: "signed_contract", id: randomUUID() },
        }),
      ),
    deliver: () =>
      deliverMessages(services, { readAttachment: async () => copy.bytes, isErased, isSecret, templateTitle }),
    rows: () => db.selectFrom("messages").selectAll().orderBy("created_at").execute(),
    log: () =>
      db
        .selectFrom("activity as l")
        .innerJoin("messages as m", "m.id", "l.id")
        .select(["l.type", "l.message", "l.ref_id"])
        .orderBy("m.created_at")
        .execute(),
    makeDue: () =>
      transaction((tx) =>
        tx
          .updateTable("messages")
          .set({ next_try_at: new Date(0) })
          .execute(),
      ),
  };
}

test("delivers a message to the outbox in demo mode and retains its text", async () => {
  const { code, deliver, rows, log } = await testDelivery({});
  await code("email", "ada@example.test");
  await code("sms", "+15125550199");
  expect(await deliver()).toEqual({ sent: 2, failed: 0 });
  for (const row of await rows()) {
    expect(row).toMatchObject({ status: "sent", adapter: "dev-mailbox", attempts: 1, last_error: null });
    expect(row.text).toContain("482913");
  }
  expect(await log()).toEqual(
    ["email", "SMS"].map((channel) => ({
      type: "notification",
      message: `The ${channel} “One-time code” was sent`,
      ref_id: null,
    })),
  );
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
});

test("delivers an email with addresses, subject, both parts and a constant message id", async () => {
  const { received, url } = await mailServer();
  const { contact, deliver, rows } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  const id = await contact("zoe.long@example.test");
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(received).toHaveLength(1);
  const mail = await PostalMime.parse(received[0] ?? "");
  expect(mail.from).toMatchObject({ name: "Stagedoor", address: "bookings@stagedoor.example" });
  expect(mail.replyTo?.[0]).toMatchObject({ address: "ada@example.test" });
  expect(mail.subject).toBe("We received your message");
  expect(mail.messageId).toBe(`<${id}@stagedoor.example>`);
  expect(mail.text).toContain("Thank you for writing.");
  expect(mail.html).toContain("<h1");
  expect((await rows())[0]).toMatchObject({ status: "sent", adapter: "smtp" });
});

test("attaches the signed contract as it is when the email is sent", async () => {
  const { received, url } = await mailServer();
  const { signed, copy, deliver, rows, makeDue } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await signed("ada@example.test");
  copy.bytes = undefined;
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect((await rows())[0]).toMatchObject({ status: "waiting", last_error: expect.stringContaining("is not there") });
  copy.bytes = Buffer.from("%PDF-1.7 signed later");
  await makeDue();
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  const [file] = (await PostalMime.parse(received[0] ?? "")).attachments;
  expect(file).toMatchObject({ filename: "contract-SD-7KQ4MN-signed.pdf", mimeType: "application/pdf" });
  expect(Buffer.from(file?.content as ArrayBuffer).toString()).toBe("%PDF-1.7 signed later");
});

test("marks a sent message in a second attempt without sending it again", async () => {
  const { received, url } = await mailServer();
  const { contact, deliver, rows, makeDue } = await testDelivery({ SMTP_URL: url });
  await contact("ada@example.test");
  const real = platform.database.transaction;
  // The first transaction claims the message, the second one marks it.
  using transaction = vi.spyOn(platform.database, "transaction");
  transaction.mockImplementationOnce(real).mockRejectedValueOnce(new Error("the connection was lost"));
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect((await rows())[0]).toMatchObject({ status: "sent", last_error: null });
  await makeDue();
  await deliver();
  expect(received).toHaveLength(1);
});

test("deletes the text of an email that opens an account after sending it, outside demo mode", async () => {
  const { received, url } = await mailServer();
  const { code, deliver, rows } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await code("email", "ada@example.test");
  await deliver();
  expect(received[0]).toContain("482913");
  const [row] = await rows();
  expect(row?.text).not.toContain("482913");
  expect(row?.html).toBeNull();
});

test("deletes the last message to a former address once it is sent or has failed, outside demo mode", async () => {
  let refuses = false;
  const { received, url } = await mailServer({
    onRcptTo: (_address, _session, done) =>
      done(refuses ? Object.assign(new Error("no such user"), { responseCode: 550 }) : undefined),
  });
  const farewell = (to: string) =>
    platform.database.transaction((tx) =>
      enqueueMessage(tx, { template: "account_deleted", channel: "email", to, params: examples.account_deleted }),
    );
  const live = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  for (const outcome of ["was", "could not be"]) {
    const id = await farewell("former@example.test");
    await live.deliver();
    expect(await live.rows()).toEqual([]);
    const { db } = platform.database;
    const entry = db
      .selectFrom("activity")
      .select("message")
      .where("id", "=", id ?? "");
    expect(await entry.execute()).toEqual([{ message: `The email “Account Deleted” ${outcome} sent` }]);
    refuses = true;
  }
  expect(received).toHaveLength(1);
  const demo = await testDelivery({});
  await farewell("former@example.test");
  await demo.deliver();
  expect(await demo.rows()).toMatchObject([{ status: "sent", recipient: "former@example.test" }]);
});

test("sends a working pay link and cuts its key from the stored text", async () => {
  const { received, url } = await mailServer();
  const { deliver, rows } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  const link = "https://example.test/pay/1/deposit?a=1&key=once-only";
  const gig = {
    number: "SD-7KQ4MN",
    artistName: "A",
    promoterName: "B",
    eventDate: "2027-02-13",
    venueName: "C",
    link,
  };
  await platform.database.transaction((tx) =>
    enqueueMessage(tx, { template: "hold_ended", channel: "email", to: "b@example.test", params: gig }),
  );
  await deliver();
  expect((await PostalMime.parse(received[0] ?? "")).html).toContain("once-only");
  const [row] = await rows();
  expect(`${row?.text}${row?.html}`).not.toContain("once-only");
  expect(row?.text).toContain("Saturday 13 February 2027");
});

test("retries a busy relay later and sends the email once", async () => {
  let busy = true;
  const { received, url } = await mailServer({
    onRcptTo: (_address, _session, done) =>
      done(busy ? Object.assign(new Error("try later"), { responseCode: 451 }) : undefined),
  });
  const { contact, deliver, rows, log, makeDue } = await testDelivery({ SMTP_URL: url });
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect(await log()).toEqual([]);
  const [waiting] = await rows();
  expect(waiting).toMatchObject({ status: "waiting", attempts: 1 });
  expect(waiting?.last_error).toContain("451");
  expect(waiting?.next_try_at.getTime()).toBeGreaterThan(Date.now() + 10_000);
  expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  busy = false;
  await makeDue();
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(received).toHaveLength(1);
});

test("does not retry a mailbox that does not exist", async () => {
  const { url } = await mailServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error("no such user"), { responseCode: 550 })),
  });
  const { code, deliver, rows, log } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await code("email", "gone@example.test");
  await deliver();
  expect((await log()).map(({ message }) => message)).toEqual(["The email “One-time code” could not be sent"]);
  const [row] = await rows();
  expect(row).toMatchObject({ status: "failed", attempts: 1 });
  expect(row?.last_error).toContain("550");
  expect(row?.text).not.toContain("482913");
});

test.each([
  ["the sender", "onMailFrom", "550 5.7.1 daily quota used up"],
  ["the sender when it is given the recipient", "onRcptTo", "550 5.1.8 sender address rejected"],
  ["the relay in words", "onRcptTo", "550 relay not permitted"],
  ["the message", "onData", "554 5.7.1 rejected"],
] as const)("retries an email after the relay has refused %s, and sends it once", async (_what, step, rejection) => {
  let refuses = true;
  const { received, url } = await mailServer({
    [step]: (input: Readable, _session: unknown, done: (error?: Error) => void) => {
      const error = refuses
        ? Object.assign(new Error(rejection.slice(4)), { responseCode: Number(rejection.slice(0, 3)) })
        : undefined;
      if (step !== "onData") return done(error);
      return input.on("end", () => done(error)).resume();
    },
  });
  const { contact, deliver, rows, makeDue } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect((await rows())[0]).toMatchObject({
    status: "waiting",
    last_error: expect.stringContaining(rejection) as string,
  });
  refuses = false;
  await makeDue();
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(received).toHaveLength(step === "onData" ? 0 : 1);
});

test("retries an email for three days while the relay is unreachable, and then marks it as failed", async () => {
  const { contact, deliver, rows, makeDue } = await testDelivery({ SMTP_URL: "smtp://127.0.0.1:1" });
  await contact("ada@example.test");
  for (let tries = 1; tries <= 20; tries++) {
    await makeDue();
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  }
  const [row] = await rows();
  expect(row).toMatchObject({ status: "waiting", attempts: 20 });
  expect(row?.retry_until?.getTime()).toBeGreaterThan(Date.now() + 71 * 3_600_000);
  await platform.database.transaction((tx) => tx.updateTable("messages").set({ retry_until: new Date() }).execute());
  await makeDue();
  await deliver();
  expect((await rows())[0]).toMatchObject({
    status: "failed",
    last_error: expect.stringContaining("ECONNREFUSED") as string,
  });
});

test("does not send a code that expired while the relay was unreachable", async () => {
  const { received, url } = await mailServer();
  const { code, contact, deliver, rows } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await code("email", "ada@example.test");
  expect((await rows())[0]?.expires_at?.getTime()).toBeLessThanOrEqual(Date.now() + 600_000);
  await platform.database.transaction((tx) => tx.updateTable("messages").set({ expires_at: new Date() }).execute());
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 1, failed: 1 });
  expect(received.join("")).not.toContain("482913");
  expect((await rows())[0]).toMatchObject({
    status: "failed",
    last_error: expect.stringContaining("expired") as string,
  });
});

test("leaves the other due messages for the next run after a round without success", async () => {
  const { contact, deliver, rows } = await testDelivery({ SMTP_URL: "smtp://127.0.0.1:1" });
  for (let at = 0; at < 25; at++) await contact(`guest${at}@example.test`);
  expect(await deliver()).toEqual({ sent: 0, failed: 20 });
  expect((await rows()).filter(({ attempts }) => attempts === 0)).toHaveLength(5);
  expect(await deliver()).toEqual({ sent: 0, failed: 5 });
});

test("leaves an email waiting and reports the missing setting outside demo mode without a relay", async () => {
  const { contact, deliver, rows } = await testDelivery({ DEMO: "0" });
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 0, failed: 1 });
  expect((await rows())[0]).toMatchObject({
    status: "waiting",
    last_error: "Mail is not set up: SMTP_URL is missing.",
  });
});

test("sends each message once when two deliveries run at the same time", async () => {
  const { received, url } = await mailServer();
  const { contact, deliver } = await testDelivery({ SMTP_URL: url });
  for (let at = 0; at < 30; at++) await contact(`guest${at}@example.test`);
  const [one, other] = await Promise.all([deliver(), deliver()]);
  expect(one.sent + other.sent).toBe(30);
  expect(new Set(received.map((text) => /^To: (.*)$/m.exec(text)?.[1])).size).toBe(30);
  expect(received).toHaveLength(30);
});

type Posted = { path: string | undefined; authorization: string | undefined; form: Record<string, string> };

async function twilioDouble(respond: () => { status: number; body: object }) {
  const posted: Posted[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    posted.push({ path: request.url, authorization: request.headers.authorization, form });
    const { status, body } = respond();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const port = await listening(server);
  open.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const env = {
    TWILIO_ACCOUNT_SID: "AC123",
    TWILIO_AUTH_TOKEN: "token",
    TWILIO_FROM: "+15005550006",
    TWILIO_API_URL: `http://127.0.0.1:${port}`,
  };
  return { posted, env };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

test("sends an SMS to Twilio's Messages resource as a form with basic authentication", async () => {
  const { posted, env } = await twilioDouble(() => ({ status: 201, body: { sid: "SM1", status: "queued" } }));
  const { code, deliver, rows } = await testDelivery(env);
  await code("sms", "+15125550199");
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(posted).toEqual([
    {
      path: "/2010-04-01/Accounts/AC123/Messages.json",
      authorization: `Basic ${Buffer.from("AC123:token").toString("base64")}`,
      form: { To: "+15125550199", From: "+15005550006", Body: expect.stringContaining("482913") as string },
    },
  ]);
  expect((await rows())[0]).toMatchObject({ status: "sent", adapter: "twilio", provider_ref: "SM1" });
});

test("does not retry a number that Twilio rejects, but retries a busy Twilio and a rejected sender", async () => {
  let [status, number] = [400, 21211];
  const { posted, env } = await twilioDouble(() => ({ status, body: { code: number, message: "not valid" } }));
  const { code, deliver, rows } = await testDelivery(env);
  await code("sms", "+15125550100");
  await deliver();
  [status, number] = [429, 20429];
  await code("sms", "+15125550101");
  await deliver();
  [status, number] = [400, 21606];
  await code("sms", "+15125550102");
  await deliver();
  expect((await rows()).map((row) => row.status)).toEqual(["failed", "waiting", "waiting"]);
  expect((await rows())[0]?.last_error).toContain("21211");
  expect(posted).toHaveLength(3);
});
