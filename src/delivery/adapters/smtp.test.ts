/** Delivery through a relay on loopback that refuses, is away or is slow. */

import type { Readable } from "node:stream";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { deliveries } from "#test/harness/delivery/deliveries.ts";
import { smtpAdapter } from "./smtp.ts";

const { closeAfter, database, mailServer, testDelivery } = deliveries();

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

test("sends encoded words of a subject as the text that was entered", async () => {
  const { received, url } = await mailServer();
  const relay = smtpAdapter(url);
  closeAfter(async () => relay.close());
  const address = "site@example.test";
  const common = { id: "1", from: address, to: address, replyTo: address, text: "", html: null, attachment: null };
  const subject = `Contact: =?utf-8?B?PGI+?= Hello =?utf-8?Q?=E2=80=AE?= ${"and a longer text – ".repeat(4)}end`;
  for (const text of [subject, subject.replaceAll("–", "-")]) await relay.send({ ...common, subject: text });
  const subjects = await Promise.all(received.map(async (mail) => (await PostalMime.parse(mail)).subject));
  expect(subjects).toEqual([subject, subject.replaceAll("–", "-")]);
});

test("accepts the self-signed certificate of a relay on this machine", async () => {
  const { received, url } = await mailServer({ disabledCommands: [] });
  const { contact, deliver } = await testDelivery({ SMTP_URL: url });
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  expect(received).toHaveLength(1);
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
  await database().transaction((tx) => tx.updateTable("messages").set({ retry_until: new Date() }).execute());
  await makeDue();
  await deliver();
  expect((await rows())[0]).toMatchObject({
    status: "failed",
    last_error: expect.stringContaining("ECONNREFUSED") as string,
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

test("ends an email whose recipient the relay does not answer, and sends the others during the wait", async () => {
  const { received, url } = await mailServer({
    onRcptTo: ({ address }, _session, done) => void (address.startsWith("slow") || done()),
  });
  const relay = smtpAdapter(url, 500);
  closeAfter(async () => relay.close());
  const common = { from: "site@example.test", replyTo: "site@example.test", subject: "A test", text: "", html: null };
  const send = (id: string) => relay.send({ ...common, id, to: `${id}@example.test`, attachment: null });
  const outcomes = await Promise.allSettled(["slow", "one", "two", "three"].map(send));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(outcomes[0]).toMatchObject({ reason: { message: "The relay did not accept the email within 0.5 seconds." } });
  expect(received).toHaveLength(3);
});
