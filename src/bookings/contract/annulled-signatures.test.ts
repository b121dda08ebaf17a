import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { migrationsFolder } from "#platform/db/index.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead, emailsFor, guestOf, refunds, verifyMailbox } from "#test/harness/bookings.ts";
import { scannedPaper, signingCalls, tokensOf, uploadSignedDocument } from "#test/harness/contracts.ts";
import {
  attestedContract,
  decideObjection,
  markSigned,
  objectAsPromoter,
  objectionReason,
  readContractPage,
  recipientsOf,
} from "#test/harness/esign/attestations.ts";
import { recordDashboardRefund } from "#test/harness/payment-work.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";
import { sendBalanceReminders } from "../balance/balance-reminders.ts";
import { watchContracts } from "./deadlines.ts";
import { sealContracts } from "./document/sealing.ts";

const app = closeAfterFile(await testApp());
let admin: Record<string, string>;
beforeEach(async () => {
  // An earlier test may have advanced the clock beyond the session.
  admin = await app.signIn(await app.make.user({ role: "admin" }));
});

const read = (id: string) => readContractPage(app, id, admin);
const attested = () => attestedContract(app, admin);
const emailed = (bookingId: string, name: string) => recipientsOf(app, bookingId, name);
const annul = (bookingId: string, amounts: { release_cents?: number; expected_held_cents?: number } = {}) =>
  decideObjection(app, bookingId, admin, { decision: "annulled", ...amounts });

const startIn = (bookingId: string, ms: number) =>
  app.database.db
    .updateTable("bookings")
    .set({ starts_at: new Date(app.clock.now().getTime() + ms) })
    .where("id", "=", bookingId)
    .execute();
const withdrawalOf = async (bookingId: string) => {
  const page = await app.request(`/api/bookings/${bookingId}`, { headers: admin });
  const { contract } = (await page.json()) as { contract: { attestation: { withdrawal: string } } };
  return contract.attestation.withdrawal;
};

/** Advances the clock of the app and of its database, as demo mode does. */
async function advance(milliseconds: number) {
  app.clock.advance(milliseconds);
  const ahead = app.clock.now().getTime() - Date.now();
  await sql`insert into installation_clock (ahead_ms) values (${ahead})
    on conflict (only_row) do update set ahead_ms = excluded.ahead_ms`.execute(app.database.db);
}

test("an objection that is annulled opens the contract for signatures again and retains the files as evidence", async () => {
  const { id, booking } = await attested();
  await sealContracts(app.services);
  await objectAsPromoter(app, booking.id);
  expect(await annul(booking.id)).toBe(200);
  await app.settle();
  expect((await bookingRow(app, booking.id)).status).toBe("contract_sent");
  const body = await read(id);
  expect(body).toMatchObject({ status: "sent", attestation: null, evidence: { fault: null } });
  expect(body.files.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["annulled_scan_1", "annulled_sealed_1", "agreement"]),
  );
  expect(body.parties.find(({ side }) => side === "artist")?.signed_at).not.toBeNull();
  const seen = await guestOf(app, booking.id).call(`/api/bookings/${booking.id}`);
  const { timeline } = (await seen.json()) as { timeline: { kind: string; text: string; detail: string | null }[] };
  expect(
    timeline.filter(({ kind }) => kind === "contract_attestation").map(({ text, detail }) => [text, detail]),
  ).toEqual([
    ["Marked as signed on paper", expect.any(String)],
    ["Objection to the signature on paper", objectionReason],
    [
      "The signature on paper was withdrawn: the contract is open for signatures again",
      "The paper names another event.",
    ],
  ]);
  const upload = await uploadSignedDocument(app, id, { headers: admin, bytes: await scannedPaper() });
  expect((await markSigned(app, id, { headers: admin, paper: upload.body.sha256 })).status).toBe(200);
  const again = await objectAsPromoter(app, booking.id);
  expect(again.status).toBe(200);
  expect(await annul(booking.id)).toBe(200);
  await app.settle();
  const guest = signingCalls(app);
  const { promoter } = await tokensOf(app, booking.id);
  await guest.openAndSign(promoter);
  await sealContracts(app.services);
  await app.settle();
  expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
  expect((await read(id)).seal.state).toBe("sealed");
});

test("an objection that is annulled requests the balance again once the contract is signed again, and marks what was sent before", async () => {
  await advance(minuteMs);
  const { booking } = await attestedContract(app, admin, { eventDate: dayAhead(app, 20) });
  const { db } = app.database;
  await sendBalanceReminders(app.services);
  expect(await emailed(booking.id, "balance_due")).toHaveLength(1);
  await advance(minuteMs);
  await objectAsPromoter(app, booking.id);
  expect(await annul(booking.id)).toBe(200);
  await app.settle();
  const stopped = (await emailsFor(app, booking.id)).filter(({ text }) =>
    text.replaceAll(/\s+/g, " ").includes("The balance that we requested is not due until the contract is signed"),
  );
  expect(stopped.map(({ template, recipient }) => [template, recipient])).toEqual([
    ["objection_decided", booking.promoter_email],
  ]);
  await signingCalls(app).openAndSign((await tokensOf(app, booking.id)).promoter);
  await advance(minuteMs);
  await sendBalanceReminders(app.services);
  expect(await emailed(booking.id, "balance_due")).toHaveLength(2);
  const { timeline } = (await (await app.request(`/api/bookings/${booking.id}`, { headers: admin })).json()) as {
    timeline: { kind: string; text: string; detail: string | null }[];
  };
  const withdrawn = /\bthe signature on paper was withdrawn later$/;
  const marks = (name: string) =>
    timeline.filter(({ text }) => text === name).map(({ detail }) => withdrawn.test(detail ?? ""));
  expect(["Balance requested", "Email: Balance Due", "Email: Contract Attested"].map(marks)).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
  expect(timeline.filter(({ detail }) => withdrawn.test(detail ?? ""))).toHaveLength(4);
  const due = "Email: Balance Due";
  const reopened = "The signature on paper was withdrawn: the contract is open for signatures again";
  expect(timeline.map(({ text }) => text).filter((text) => [due, reopened].includes(text))).toEqual([
    due,
    reopened,
    due,
  ]);
  const steps = db.selectFrom("balance_steps").selectAll().where("booking_id", "=", booking.id);
  const marked = await steps.orderBy("at").execute();
  const file = path.join(migrationsFolder, "1351_steps_before_a_withdrawal.sql");
  const migration = await readFile(file, "utf8");
  await sql`update balance_steps set withdrawn_at = null, round = round + 10 where withdrawn_at is not null`.execute(
    db,
  );
  await sql.raw(migration.slice(migration.indexOf("update balance_steps"))).execute(db);
  const again = await steps.orderBy("at").execute();
  expect(again.map(({ withdrawn_at: at }) => at)).toEqual(marked.map(({ withdrawn_at: at }) => at));
});

test("an objection that is annulled states to the promoter alone that the balance they have paid is safe", async () => {
  const { booking, performer } = await attestedContract(app, admin, { balancePaid: true });
  await objectAsPromoter(app, booking.id);
  await app.database.db.deleteFrom("messages").where("ref_id", "=", booking.id).execute();
  expect(await annul(booking.id)).toBe(200);
  const safe = `The balance of ${formatMoney(booking.balance_cents, booking.currency)} that you have paid is safe. We hold it, and refund it in full if the contract is not signed.`;
  const naming = (await emailsFor(app, booking.id)).filter(({ text }) => text.replaceAll(/\s+/g, " ").includes(safe));
  expect(naming.map(({ template, recipient }) => `${template} ${recipient}`).toSorted()).toEqual([
    `contract_reminder ${booking.promoter_email}`,
    `objection_decided ${booking.promoter_email}`,
  ]);
  expect(await emailed(booking.id, "objection_decided")).toContain(performer.user.email);
  const { booking: unpaid } = await attested();
  await objectAsPromoter(app, unpaid.id);
  expect(await annul(unpaid.id)).toBe(200);
  expect((await emailsFor(app, unpaid.id)).map(({ text }) => text).join()).not.toContain("is safe");
});

test.each([
  ["now", false],
  ["by an older version", true],
])("an objection that is annulled (%s) is followed by reminders in the new window", async (_when, isOlder) => {
  const { booking } = await attested();
  await objectAsPromoter(app, booking.id);
  await advance(60 * hourMs);
  admin = await app.signIn(await app.make.user({ role: "admin" }));
  expect(await annul(booking.id)).toBe(200);
  await app.settle();
  await app.database.db.deleteFrom("messages").where("ref_id", "=", booking.id).execute();
  const remindersAfter = async (ms: number) => {
    await advance(ms);
    await watchContracts(app.services);
    await app.settle();
    return (await emailed(booking.id, "contract_reminder")).length;
  };
  expect(await remindersAfter(hourMs)).toBe(0);
  if (isOlder) {
    await app.database.db
      .updateTable("contracts")
      .set({ reminders: 2, reminders_from: null })
      .where("booking_id", "=", booking.id)
      .execute();
    const migration = await readFile(path.join(migrationsFolder, "1420_reminders_of_a_new_signing_window.sql"), "utf8");
    await app.database.exec(migration.slice(migration.indexOf("update contracts")));
  }
  expect(await remindersAfter(24 * hourMs)).toBe(1);
  expect(await remindersAfter(hourMs)).toBe(1);
  expect(await remindersAfter(48 * hourMs)).toBe(2);
});

test("an objection that is annulled less than 24 hours before the show cancels the booking with a full refund", async () => {
  const { booking } = await attested();
  await objectAsPromoter(app, booking.id);
  await startIn(booking.id, hourMs);
  expect(await withdrawalOf(booking.id)).toBe("refunded");
  expect(await annul(booking.id, { release_cents: 100 })).toBe(409);
  expect(await annul(booking.id)).toBe(200);
  await app.settle();
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "signature_withdrawn" });
  expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents]);
  const seen = (await guestOf(app, booking.id).json(`/api/bookings/${booking.id}`)).body["timeline"];
  expect(seen).toContainEqual(expect.objectContaining({ text: "The signature on paper was withdrawn" }));
});

test("an objection that is annulled divides nothing if a refund in the provider's dashboard is being recorded", async () => {
  const { booking } = await attested();
  await objectAsPromoter(app, booking.id);
  await startIn(booking.id, -hourMs);
  const { id, deposit_cents: held } = booking;
  const status = await overlapping(
    app,
    (tx) => recordDashboardRefund(tx, id, { amount: 10_000, now: app.clock.now() }),
    () => annul(id, { release_cents: 20_000, expected_held_cents: held }),
  );
  expect(status).toBe(409);
  const rest = { release_cents: 20_000, expected_held_cents: held - 10_000 };
  expect(await annul(id, rest)).toBe(200);
  const amounts = (await refunds(app, id)).map(({ amount }) => amount);
  expect(new Set(amounts)).toEqual(new Set([10_000, held - 30_000]));
});

test("an objection that is annulled after the show began divides the money, and the emails name the decision and both parts", async () => {
  const { booking, performer } = await attested();
  await objectAsPromoter(app, booking.id);
  await startIn(booking.id, -hourMs);
  expect(await withdrawalOf(booking.id)).toBe("divided");
  // A no-show is decided only after the objection.
  const own = guestOf(app, booking.id);
  await verifyMailbox(app, own, booking.id);
  const note = "The artist did not appear at the venue.";
  expect((await own.json(`/api/bookings/${booking.id}/no-show`, { note })).status).toBe(200);
  const body = { release_cents: 0, decision: "The artist states nothing about it." };
  const noShow = await app.request(`/api/admin/bookings/${booking.id}/no-show`, { headers: admin, body });
  expect(noShow.status).toBe(409);
  expect(await annul(booking.id)).toBe(409);
  const { deposit_cents: held } = booking;
  expect(await annul(booking.id, { release_cents: held + 1 })).toBe(409);
  expect(await annul(booking.id, { release_cents: 20_000, expected_held_cents: held - 1 })).toBe(409);
  expect(await annul(booking.id, { release_cents: 20_000, expected_held_cents: held })).toBe(200);
  await app.settle();
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "signature_withdrawn" });
  expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents - 20_000]);
  const texts = (await emailsFor(app, booking.id))
    .filter(({ template }) => template === "booking_canceled")
    .map(({ recipient, text }) => [recipient, text.replaceAll(/\s+/g, " ")] as const);
  expect(await emailed(booking.id, "objection_decided")).toEqual([]);
  expect(texts).toHaveLength(2);
  for (const [recipient, text] of texts) {
    expect(text).toContain("An admin canceled");
    expect(text).toContain("After an objection, the attested signature of the contract was withdrawn.");
    expect(text).toContain("The paper names another event.");
    expect(text).not.toMatch(/sign again|cancellation terms/);
    expect(text).toContain(
      recipient === performer.user.email ? "By this decision you keep $" : "By this decision $200 is not refunded.",
    );
  }
  const again = await own.json(`/api/bookings/${booking.id}/object-to-attestation`, { reason: objectionReason });
  expect(again.status).toBe(409);
});
