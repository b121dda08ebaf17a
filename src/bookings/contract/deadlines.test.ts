import { expect, test } from "vitest";
import { overdueContracts } from "#contracts/copies-for-bookings.ts";
import { verifySealedCopy } from "#contracts/index.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead, emailsFor, refunds } from "#test/harness/bookings.ts";
import { contractRow, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { contractStepsOf } from "../page/contract-timeline.views.ts";
import { watchContracts } from "./deadlines.ts";
import { sealContracts } from "./document/sealing.ts";
import { unsentBookings } from "./due.views.ts";

const app = closeAfterFile(await testApp());

async function later(ms: number) {
  app.clock.advance(ms);
  await watchContracts(app.services);
  await app.settle();
}

const templates = async (bookingId: string) => (await emailsFor(app, bookingId)).map(({ template }) => template);
const count = (list: readonly string[], name: string) => list.filter((one) => one === name).length;

const deadlineTexts = async (bookingId: string, template: string) =>
  (await emailsFor(app, bookingId))
    .filter((email) => email.template === template)
    .map(({ recipient, text }) => ({ recipient, text: text.replaceAll(/\s+/g, " ") }));

test("states the last deadline from the first email on, and the extended one to both parties", async () => {
  const { booking, promoter: token } = await sentContract(app);
  const first = (await contractRow(app, booking.id)).expires_at as Date;
  const last = new Date(first.getTime() + 3 * dayMs);
  const [until, lastUntil] = [first, last].map((at) => formatInstant(at, booking.time_zone));
  const sent = await deadlineTexts(booking.id, "contract_sent");
  expect(sent).toHaveLength(2);
  for (const { text } of sent) {
    expect(text).toContain(`Sign by ${until}. `);
    expect(text).toContain(
      `If it is not signed by then, the time is extended once, until ${lastUntil}. After that, the booking is canceled.`,
    );
  }
  const guest = signingCalls(app);
  await guest.openAndSign(token);
  await later(first.getTime() - app.clock.now().getTime());
  const reminders = await deadlineTexts(booking.id, "contract_reminder");
  const promoter = reminders.filter(({ recipient }) => recipient === booking.promoter_email);
  const artist = reminders.filter(({ recipient }) => recipient !== booking.promoter_email);
  const ends = "If it is not signed by then, the booking is canceled.";
  expect(promoter.at(-1)?.text).toContain(`The time to sign is extended until ${lastUntil}. ${ends}`);
  expect(artist.at(-1)?.text).toContain(`The time to sign is extended. Sign by ${lastUntil}. ${ends}`);
});

test("reminds the unsigned parties twice, extends the deadline once, then cancels the booking with a refund", async () => {
  const { booking } = await sentContract(app);
  const first = (await contractRow(app, booking.id)).expires_at;
  await later(dayMs);
  expect(count(await templates(booking.id), "contract_reminder")).toBe(2);
  await later(hourMs);
  expect(count(await templates(booking.id), "contract_reminder")).toBe(2);
  await later(2 * dayMs);
  expect(count(await templates(booking.id), "contract_reminder")).toBe(4);
  await later(4 * dayMs);
  const extended = await contractRow(app, booking.id);
  expect((extended.expires_at?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBe(3 * dayMs);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
  const steps = await contractStepsOf(app.database.db, booking.id);
  expect(steps.map(({ text }) => text).toSorted()).toEqual([
    "Reminder of the signature sent",
    "Reminder of the signature sent",
    "The time for signing was extended",
  ]);
  await later(3 * dayMs);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "contract_expired" });
  expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents]);
});

test("applies the policy when only the promoter missed the deadline, and refunds everything when only the artist did", async () => {
  for (const [signs, refunded] of [
    ["artist", false],
    ["promoter", true],
  ] as const) {
    const { booking, artist_token: artist, promoter } = await sentContract(app, { eventDate: dayAhead(app, 60) });
    const token = signs === "artist" ? artist : promoter;
    const guest = signingCalls(app);
    await guest.openAndSign(token);
    await later(8 * dayMs);
    await later(4 * dayMs);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled" });
    const back = (await refunds(app, booking.id)).map(({ amount }) => amount);
    expect(back).toEqual(refunded ? [booking.deposit_cents] : []);
  }
});

test("alarms the admin about an unsent contract, and cancels the booking with a full refund when the event begins", async () => {
  const booking = await app.make.booking({
    status: "deposit_paid",
    now: app.clock.now(),
    eventDate: dayAhead(app, 2),
    createdAt: app.clock.now(),
  });
  await app.database.db
    .updateTable("contracts")
    .set({ last_error: "Error: the disk is full" })
    .where("booking_id", "=", booking.id)
    .execute();
  const admin = await app.make.user({ role: "admin" });
  await later(21 * hourMs);
  const alarms = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "text", "subject"])
    .where("ref_id", "=", booking.id)
    .where("template", "=", "money_alarm")
    .execute();
  expect(alarms.filter(({ recipient }) => recipient === admin.email)).toHaveLength(1);
  expect(alarms[0]?.subject).toContain("contract");
  expect(alarms[0]?.text).toContain("the disk is full");
  await later(3 * dayMs);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "contract_expired" });
  expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents]);
});

test("gives a contract of an earlier version a new deadline, and cancels nothing", async () => {
  const booking = await app.make.booking({ status: "contract_sent", now: app.clock.now() });
  await later(0);
  const { expires_at: end } = await contractRow(app, booking.id);
  expect(Math.abs((end?.getTime() ?? 0) - app.clock.now().getTime() - 7 * dayMs)).toBeLessThan(hourMs);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
});

test("seals the copy once after both signatures, mails it to both parties, and it verifies", async () => {
  const { booking, contractId, artist_token, promoter } = await sentContract(app, { eventDate: dayAhead(app, 60) });
  for (const token of [artist_token, promoter]) await signingCalls(app).openAndSign(token);
  await sealContracts(app.services);
  await sealContracts(app.services);
  expect(count(await templates(booking.id), "contract_signed")).toBe(2);
  const headers = await app.signIn(await app.make.user({ role: "admin" }));
  const response = await app.request(`/api/contracts/${contractId}/document`, { headers });
  const file = await app.request(response.headers.get("location") ?? "");
  const { valid, lines } = await verifySealedCopy(Buffer.from(await file.arrayBuffer()));
  expect(valid, lines.join("\n")).toBe(true);
});

test("does not seal an agreement that was changed in the table", async () => {
  const { booking, contractId, artist_token, promoter } = await sentContract(app, { eventDate: dayAhead(app, 60) });
  for (const token of [artist_token, promoter]) await signingCalls(app).openAndSign(token);
  await app.database.db
    .updateTable("contract_documents")
    .set({ bytes: Buffer.from("%PDF-another") })
    .where("contract_id", "=", contractId)
    .execute();
  await sealContracts(app.services);
  expect(count(await templates(booking.id), "contract_signed")).toBe(0);
});

test("contracts that stay due do not block the others of a batch", async () => {
  const [one, other] = [await sentContract(app), await sentContract(app)];
  const unsent = [
    await app.make.booking({ status: "deposit_paid" }),
    await app.make.booking({ status: "deposit_paid" }),
  ];
  const late = new Date(app.clock.now().getTime() + 8 * dayMs);
  const found = new Set<string | undefined>();
  for (let run = 0; run < 200; run++) {
    found.add((await overdueContracts(app.database.db, late, 1))[0]);
    found.add((await unsentBookings(app.database.db, late, 1))[0]?.id);
  }
  for (const { id } of [one.booking, other.booking, ...unsent]) expect(found).toContain(id);
});
