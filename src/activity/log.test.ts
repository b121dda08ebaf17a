import { expect, test } from "vitest";
import { deliverMessages } from "#delivery/index.ts";
import { enqueueMessage, isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser } from "#test/harness/bookings.ts";
import { contractRow } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import type { LogEntry } from "./api.ts";
import { recordActivity } from "./index.ts";

const app = closeAfterFile(await testApp());
const user = await app.make.user({ role: "admin", name: "Ines Halvorsen" });
const adminId = user.id;
const admin = browser(app, await app.signIn(user));

const list = async (query = "") => {
  const { status, body } = await admin.json(`/api/admin/logs${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as { items: LogEntry[]; total: number };
};

test("returns the booking of an entry that refers to the booking, its contract or a payment", async () => {
  const booking = await app.make.booking({ status: "contract_sent" });
  const { number } = await bookingRow(app, booking.id);
  const contract = await contractRow(app, booking.id);
  const payment = await app.database.db
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", booking.id)
    .executeTakeFirstOrThrow();
  await app.database.transaction(async (tx) => {
    await recordActivity(tx, { type: "booking", refId: booking.id, message: "One", actorId: adminId });
    await recordActivity(tx, { type: "contract", refId: contract.id, message: "Two" });
    await recordActivity(tx, { type: "payment", refId: payment.id, message: "Three", meta: { amount: 1 } });
    await recordActivity(tx, { type: "system", refId: "settings", message: "Four" });
  });
  const found = (await list()).items.filter((one) => ["One", "Two", "Three", "Four"].includes(one.message));
  expect(found).toHaveLength(4);
  for (const { message, booking: shown } of found)
    expect(shown, message).toEqual(message === "Four" ? null : { id: booking.id, number });
  expect(found.find((one) => one.message === "One")?.actor).toEqual({ id: adminId, name: "Ines Halvorsen" });
  const messages = async (query: string) => (await list(query)).items.map((one) => one.message).sort();
  expect(await messages(`?search=${number.toLowerCase()}`)).toEqual(["One", "Three", "Two"]);
  expect(await messages(`?search=${number.slice(3)}&type=payment`)).toEqual(["Three"]);
  expect(await messages(`?search=${contract.id.slice(0, 13)}`)).toEqual(["Two"]);
  expect(await messages("?search=SETTINGS&type=all")).toEqual(["Four"]);
});

test("displays and finds the recipient of a sent message, until the message is erased", async () => {
  const to = "Box.Office@example.test";
  await app.database.transaction((tx) =>
    enqueueMessage(tx, {
      template: "contact_acknowledgement",
      channel: "email",
      to,
      params: { supportEmail: "help@example.test" },
      refId: "contact",
    }),
  );
  await deliverMessages(app.services, {
    readAttachment: async () => undefined,
    isAccountNotice,
    isErased,
    isSecret,
    templateTitle,
  });
  const listed = async (query: string) =>
    (await list(query)).items.map(({ type, message, ref_id }) => ({ type, message, ref_id }));
  const line = {
    type: "notification",
    message: `The email “Contact Acknowledgement” was sent to ${to}`,
    ref_id: "contact",
  };
  expect(await listed("?type=notification&search=acknowledgement")).toEqual([line]);
  expect(await listed(`?search=${to.toLowerCase()}`)).toEqual([line]);
  await app.database.db.deleteFrom("messages").where("recipient", "=", to).execute();
  expect(await listed("?search=acknowledgement")).toEqual([
    { ...line, message: "The email “Contact Acknowledgement” was sent" },
  ]);
  expect(await listed(`?search=${to}`)).toEqual([]);
});

test("displays the operator CLI's name in old entries of the console without changing them", async () => {
  await app.database.transaction(async (tx) => {
    await recordActivity(tx, {
      type: "system",
      refId: "old",
      message: "The console changed the role of Ada from artist to admin",
    });
    await recordActivity(tx, {
      type: "system",
      refId: "old",
      message: "The console is on stage left",
      actorId: adminId,
    });
  });
  expect((await list("?search=console")).items.map(({ message }) => message).toSorted()).toEqual([
    "The console is on stage left",
    "The operator CLI changed the role of Ada from artist to admin",
  ]);
  const { message } = await app.database.db
    .selectFrom("activity")
    .select("message")
    .where("ref_id", "=", "old")
    .where("actor_id", "is", null)
    .executeTakeFirstOrThrow();
  expect(message).toBe("The console changed the role of Ada from artist to admin");
});

test("allows admins only and refuses an unknown type", async () => {
  expect((await browser(app).json("/api/admin/logs")).status).toBe(401);
  for (const role of ["artist", "promoter"] as const) {
    const headers = await app.signIn(await app.make.user({ role }));
    expect((await browser(app, headers).json("/api/admin/logs")).status).toBe(403);
  }
  expect((await admin.json("/api/admin/logs?type=gossip")).status).toBe(400);
});
