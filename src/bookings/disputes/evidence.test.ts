import { execFileSync } from "node:child_process";
import { PDF } from "@libpdf/core";
import { expect, test } from "vitest";
import { contractOf, readSignedCopy } from "#contracts/index.ts";
import { erasedEmail } from "#platform/email-address.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { attestSignatures, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { popplerIsHere } from "#test/harness/poppler.ts";
import { testApp } from "#test/test-app.ts";
import { drawBankCopy } from "../contract/document/bank-copy.ts";
import { sealContract } from "../contract/document/sealing.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { findBooking } from "../store.ts";
import { maxEvidencePages, textPagesOf } from "./evidence-length.rules.ts";
import { attendanceOf, collectEvidence } from "./evidence.ts";

const app = closeAfterFile(await testApp());

const ends = new Date("2026-11-21T05:00:00Z");
const starts = new Date(ends.getTime() - 3 * hourMs);
const show = { canceled_at: null, completed_at: null, starts_at: starts, ends_at: ends, event_date: "2026-11-20" };
const after = (hours: number, reported = false) =>
  attendanceOf(show, reported, new Date(ends.getTime() + hours * hourMs)).at(-1);

const ofDeposit = { providerPayment: "pi_none", note: "" };

test("collectEvidence names another payer as the payer and the promoter as the customer, without the artist's IP address", async () => {
  const sent = await sentContract(app);
  const guest = signingCalls(app);
  for (const token of [sent.promoter, sent.artist_token]) await guest.openAndSign(token);
  await app.settle();
  const booking = await findBooking(app.database.db, sent.booking.id);
  if (!booking) throw new Error("the booking is missing");
  const evidenceOf = async (providerPayment: string) => {
    const { texts } = await collectEvidence(app.database.db, booking, {
      ...ofDeposit,
      providerPayment,
      now: app.clock.now(),
    });
    return { ...texts, lines: (texts["uncategorized_text"] ?? "").split("\n") };
  };
  const withAddress = (lines: string[]) => lines.filter((line) => line.includes(" from "));
  const own = await evidenceOf("pi_of_the_promoter");
  expect(own.lines.filter((line) => line.includes("by the artist"))).not.toEqual([]);
  expect(withAddress(own.lines)).not.toEqual([]);
  for (const line of withAddress(own.lines)) expect(line).toContain("by the promoter");

  const providerPayment = await app.database.transaction(async (tx) => {
    const { id } = await makePayment(tx, {
      bookingId: booking.id,
      kind: "balance",
      amount: 112_500,
      at: app.clock.now(),
    });
    const payer = { name: "Kit Ode", email: "Kit.Ode@Label.test", company: "Ode Ltd", tax_id: "" };
    await tx
      .insertInto("payment_payers")
      .values({ payment_id: id, ...payer })
      .execute();
    await tx
      .insertInto("messages")
      .values({
        template: "payer_document",
        channel: "email",
        recipient: "kit.ode@label.test",
        ref_id: booking.id,
        subject: "",
        text: "",
      })
      .execute();
    const row = await tx
      .selectFrom("payments")
      .select("provider_payment")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return row.provider_payment ?? "";
  });
  const others = await evidenceOf(providerPayment);
  expect(others).toMatchObject({
    customer_name: booking.promoter_name,
    customer_email_address: booking.promoter_email,
  });
  expect(others.lines).toContain(
    `Kit Ode, Ode Ltd (Kit.Ode@Label.test) paid by a payment link for ${booking.promoter_name}.`,
  );
  expect(others.lines.filter((line) => line.includes("to kit.ode@label.test"))).toHaveLength(1);
  expect(withAddress(others.lines)).toEqual([]);
  expect((await evidenceOf("pi_of_the_promoter")).lines.join()).not.toMatch(/kit\.ode/i);
});

test("collectEvidence names the promoter and the venue of the contract after the promoter deleted the account", async () => {
  const { booking } = await sentContract(app);
  await app.database.db
    .updateTable("bookings")
    .set({ promoter_name: "Deleted user", promoter_email: erasedEmail, promoter_phone: "", venue_name: "Removed" })
    .where("id", "=", booking.id)
    .execute();
  const left = await findBooking(app.database.db, booking.id);
  if (!left) throw new Error("the booking is missing");
  const { texts } = await collectEvidence(app.database.db, left, { ...ofDeposit, now: app.clock.now() });
  expect(texts).toMatchObject({
    customer_name: booking.promoter_name,
    customer_email_address: booking.promoter_email,
    product_description: expect.stringContaining(booking.venue_name),
  });
  expect(Object.values(texts).join()).not.toMatch(/deleted user|deleted@|removed/i);
});

test("collectEvidence works for a promoter whose address and number no account can have", async () => {
  const given = await app.make.booking({});
  await app.database.db
    .updateTable("bookings")
    .set({ promoter_email: "Hannah@music-.test", promoter_phone: "none" })
    .where("id", "=", given.id)
    .execute();
  await app.database.db
    .insertInto("messages")
    .values({
      template: "request_received",
      channel: "email",
      recipient: "Hannah@music-.test",
      ref_id: given.id,
      subject: "",
      text: "",
    })
    .execute();
  const booking = await findBooking(app.database.db, given.id);
  if (!booking) throw new Error("the booking is missing");
  const { texts } = await collectEvidence(app.database.db, booking, { ...ofDeposit, now: app.clock.now() });
  expect(texts["uncategorized_text"]).toContain("to Hannah@music-.test");
});

test.skipIf(!popplerIsHere)("drawBankCopy has both signatures, and the IP address and browser of none", async () => {
  const sent = await sentContract(app);
  const guest = signingCalls(app);
  for (const token of [sent.promoter, sent.artist_token]) await guest.openAndSign(token);
  await app.settle();
  const { id } = sent.booking;
  const textOf = async (bytes: Uint8Array | undefined) => {
    const pdf = await PDF.load(bytes ?? new Uint8Array());
    const text = execFileSync("pdftotext", ["-", "-"], { input: bytes ?? "", encoding: "utf8" });
    return { text: text.replaceAll(/\s+/g, " "), attachments: pdf.getAttachments() };
  };
  await sealContract(app.services, id);
  const contract = await contractOf(app.database.db, id);
  const signedCopy = await readSignedCopy(app.database.db, contract?.id ?? "");
  expect((await textOf(signedCopy)).text).toContain("from 127.0.0.1");
  const { text, attachments } = await textOf(await drawBankCopy(app.services, sent.booking));
  for (const expected of ["The promoter signed", "The artist signed", "Agreement (SHA-256)"])
    expect(text).toContain(expected);
  expect(text).not.toMatch(/127\.0\.0\.1|, from /);
  expect(attachments.size).toBe(0);
});

test("collectEvidence names who attested a signature", async () => {
  const sent = await sentContract(app);
  const guest = signingCalls(app);
  await guest.sign(sent.artist_token, (await guest.open(sent.artist_token)).body);
  const admin = await app.make.user({ role: "admin" });
  await attestSignatures(app, sent.booking.id, admin.id);
  const booking = await findBooking(app.database.db, sent.booking.id);
  if (!booking) throw new Error("the booking is missing");
  const { texts } = await collectEvidence(app.database.db, booking, { ...ofDeposit, now: app.clock.now() });
  const lines = (texts["uncategorized_text"] ?? "").split("\n");
  expect(lines.filter((line) => line.includes(" signed as "))).toEqual([expect.stringContaining("(artist) signed as")]);
  expect(lines.filter((line) => line.startsWith("An admin"))).toEqual([
    expect.stringMatching(
      /^An admin \(Admin\) attested on .* \(UTC\) that .* \(promoter\) signed outside the platform: Both have signed on paper at the venue\.$/,
    ),
  ]);
});

test("collectEvidence has nothing that is not the promoter's: no payout, and no message to the artist or an admin", async () => {
  const sent = await sentContract(app);
  const admin = await app.make.user({ role: "admin" });
  await app.settle();
  await app.database.db
    .insertInto("payouts")
    .values({
      booking_id: sent.booking.id,
      artist_id: sent.booking.artist_id,
      currency: "usd",
      amount: 33_750,
      due_at: app.clock.now(),
      paid_at: app.clock.now(),
    })
    .execute();
  const booking = await findBooking(app.database.db, sent.booking.id);
  if (!booking) throw new Error("the booking is missing");
  await app.database.transaction((tx) =>
    alertAdmins(tx, app.services, { message: "An internal remark", key: "evidence test", bookingId: booking.id }),
  );
  const { texts } = await collectEvidence(app.database.db, booking, { ...ofDeposit, now: app.clock.now() });
  const recipients = [...(texts["uncategorized_text"] ?? "").matchAll(/(?:Email|SMS): .*, to ([^,\n]+)/g)];
  expect(new Set(recipients.map(([, to]) => to))).toEqual(new Set([booking.promoter_email]));
  const all = Object.values(texts).join("\n");
  for (const hidden of ["Paid out", admin.email, sent.performer.user.email]) expect(all).not.toContain(hidden);
});

test("collectEvidence shortens the messages beside a long contract, and states it", async () => {
  const { booking: sent } = await sentContract(app);
  const { db } = app.database;
  const about = { channel: "email", recipient: sent.promoter_email, ref_id: sent.id, subject: "", text: "" } as const;
  const messages = Array.from({ length: 300 }, () => ({ ...about, template: "request_received" }));
  await db.insertInto("messages").values(messages).execute();
  const booking = await findBooking(db, sent.id);
  if (!booking) throw new Error("the booking is missing");
  const collect = async () => (await collectEvidence(db, booking, { ...ofDeposit, now: app.clock.now() })).texts;
  const whole = await collect();
  const { id } = (await contractOf(db, sent.id)) ?? { id: "" };
  await db.updateTable("contract_documents").set({ pages: 12 }).where("contract_id", "=", id).execute();
  const { uncategorized_text: shortened = "", ...others } = await collect();
  expect(textPagesOf({ ...others, shortened })).toBeLessThanOrEqual(maxEvidencePages - 12);
  expect(others).toEqual({ ...whole, uncategorized_text: undefined });
  expect(shortened).toMatch(/\(\d+ more lines are left out, because card networks limit the pages\.\)$/);
  expect(whole["uncategorized_text"]).toContain(shortened.slice(0, shortened.lastIndexOf("\n")));
});

test("attendanceOf states that no no-show was reported only after the 24 hours for it", () => {
  expect(after(23)).toBe("No no-show has been reported so far.");
  expect(after(24)).toBe("No no-show was reported within the 24 hours allowed.");
  expect(after(1, true)).toBe("The promoter reported a no-show.");
});

test("attendanceOf states whether a show has begun", () => {
  expect(after(-4)).toBe("The show is on Friday 20 November 2026 and has not taken place yet.");
  for (const hours of [-3, -1])
    expect(after(hours)).toBe("The show began on Saturday 21 November 2026, 02:00 (UTC) and has not ended yet.");
});
