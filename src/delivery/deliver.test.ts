/** Delivery against a real SMTP server on loopback. */

import PostalMime from "postal-mime";
import { expect, test, vi } from "vitest";
import { enqueueMessage } from "#notifications/index.ts";
import { examples } from "#test/factories/emails.ts";
import { deliveries } from "#test/harness/delivery/deliveries.ts";

const { database, mailServer, testDelivery } = deliveries();

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
  const real = database().transaction;
  // The first transaction claims the message, the second one marks it.
  using transaction = vi.spyOn(database(), "transaction");
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
    database().transaction((tx) =>
      enqueueMessage(tx, { template: "account_deleted", channel: "email", to, params: examples.account_deleted }),
    );
  const live = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  for (const outcome of ["was", "could not be"]) {
    const id = await farewell("former@example.test");
    await live.deliver();
    expect(await live.rows()).toEqual([]);
    const { db } = database();
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
  await database().transaction((tx) =>
    enqueueMessage(tx, { template: "hold_ended", channel: "email", to: "b@example.test", params: gig }),
  );
  await deliver();
  expect((await PostalMime.parse(received[0] ?? "")).html).toContain("once-only");
  const [row] = await rows();
  expect(`${row?.text}${row?.html}`).not.toContain("once-only");
  expect(row?.text).toContain("Saturday 13 February 2027");
});

test("sends a new code before a backlog that is due at once", async () => {
  const { received, url } = await mailServer();
  const { code, contact, deliver, makeDue } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  for (let at = 0; at < 25; at++) await contact(`guest${at}@example.test`);
  await makeDue();
  await code("email", "ada@example.test");
  expect(await deliver()).toEqual({ sent: 26, failed: 0 });
  expect(received.findIndex((email) => email.includes("482913"))).toBeLessThan(20);
});

test("does not send a code that expired while the relay was unreachable", async () => {
  const { received, url } = await mailServer();
  const { code, contact, deliver, rows } = await testDelivery({ SMTP_URL: url, DEMO: "0" });
  await code("email", "ada@example.test");
  expect((await rows())[0]?.expires_at?.getTime()).toBeLessThanOrEqual(Date.now() + 600_000);
  await database().transaction((tx) => tx.updateTable("messages").set({ expires_at: new Date() }).execute());
  await contact("ada@example.test");
  expect(await deliver()).toEqual({ sent: 1, failed: 1 });
  expect(received.join("")).not.toContain("482913");
  expect((await rows())[0]).toMatchObject({
    status: "failed",
    last_error: expect.stringContaining("expired") as string,
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

test("does not mark a message as failed that another process has already sent", async () => {
  const sendElsewhere = async (refuse: (error: Error) => void) => {
    await database().db.updateTable("messages").set({ status: "sent" }).execute();
    refuse(Object.assign(new Error("no such user"), { responseCode: 550 }));
  };
  const { url } = await mailServer({
    onRcptTo: (_address, _session, done) => void sendElsewhere(done),
  });
  const { contact, deliver, rows } = await testDelivery({ SMTP_URL: url });
  await contact("ada@example.test");
  await deliver();
  expect((await rows())[0]).toMatchObject({ status: "sent", last_error: null });
});
