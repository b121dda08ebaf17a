import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/time/durations.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, emailsFor, follow, guestOf, linkTokenOf, verifyMailbox } from "#test/harness/bookings.ts";
import { makePayouts, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import { activeAdmins } from "#users/index.ts";
import { completeShows } from "../jobs.ts";
import { bookingLinkDays } from "../links/access.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

type Page = {
  status: string;
  can: Record<string, unknown>;
  no_show: { decided_at: string | null; statement: string | null } | null;
  timeline: { kind: string; text: string; by: string | null; detail: string | null }[];
  money: { held_cents: number; returning_cents: number; artist_cents: number | null };
};

async function moveShow(id: string, endedHoursAgo: number, more: { promoter_user_id?: string } = {}) {
  const end = app.clock.now().getTime() - endedHoursAgo * hourMs;
  await app.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ ...more, starts_at: new Date(end - 3 * hourMs), ends_at: new Date(end) })
      .where("id", "=", id)
      .execute(),
  );
}

async function show(endedHoursAgo: number, more: { balancePaid?: boolean } = {}) {
  const artistUser = await app.make.user({ role: "artist" });
  const promoterUser = await app.make.user({ role: "promoter" });
  const artist = await app.make.artist({ userId: artistUser.id, baseRate: 150_000 });
  const booking = await app.make.booking({
    artist,
    status: "contract_signed",
    balancePaid: more.balancePaid ?? true,
    fee: 150_000,
  });
  await moveShow(booking.id, endedHoursAgo, { promoter_user_id: promoterUser.id });
  const at = async (who: { email: string }) => {
    const headers = await app.signIn(who);
    return async (address: string, body?: object) => {
      const response = await app.request(address, {
        method: body ? "POST" : "GET",
        headers,
        ...(body ? { body } : {}),
      });
      return { status: response.status, body: (await response.json()) as Page };
    };
  };
  const promoter = await at(promoterUser);
  const admin = await at(await app.make.user({ role: "admin" }));
  const artistAt = await at(artistUser);
  const page = `/api/bookings/${booking.id}`;
  return {
    booking,
    artistUser,
    promoter,
    admin,
    artist: artistAt,
    page,
    report: () => promoter(`${page}/no-show`, { note: "Nobody came to the stage." }),
    decide: (release_cents: number) =>
      admin(`/api/admin/bookings/${booking.id}/no-show`, { release_cents, decision: "This is what we have found." }),
  };
}

const decisionOf = ({ timeline }: Page) => timeline.find(({ kind }) => kind === "no_show_decided");

test("a no-show report within a day blocks the completion, and artist and admins are notified", async () => {
  const { booking, artistUser, promoter, page, report } = await show(2);
  expect((await promoter(page)).body.can).toMatchObject({ report_no_show: true, complete: true });
  const reported = await report();
  expect(reported.status).toBe(200);
  expect(reported.body.can).toMatchObject({ report_no_show: false, complete: false });
  const sinceShow = reported.body.timeline.filter(({ kind }) => ["show", "no_show_reported"].includes(kind));
  expect(sinceShow.map(({ text }) => text)).toEqual(["The show", "A no-show was reported"]);
  expect((await report()).status).toBe(409);
  expect((await promoter(`${page}/complete`, {})).status).toBe(409);
  app.clock.advance(60 * hourMs);
  await completeShows(app.services);
  await app.settle();
  expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
  const recipients = async (name: string) =>
    (await emailsFor(app, booking.id)).filter(({ template }) => template === name).map(({ recipient }) => recipient);
  expect(await recipients("no_show_reported")).toEqual([artistUser.email]);
  const admins = await activeAdmins(app.database.db, app.services.realClock.now());
  expect((await recipients("money_alarm")).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
  const sent = await emailsFor(app, booking.id);
  const { supportEmail } = await platformSettings(app.database.db);
  expect(sent.find(({ template }) => template === "no_show_reported")?.text.replaceAll(/\s+/g, " ")).toContain(
    `send evidence to ${supportEmail}: messages`,
  );
  expect(sent.find(({ template }) => template === "money_alarm")?.subject).toBe(
    "Action required: decide about a no-show",
  );
});

test("the accused artist states their side once, and the admins and both parties can read it", async () => {
  const { artist, artistUser, promoter, admin, booking, page, report, decide } = await show(2);
  const address = `/api/artist/bookings/${booking.id}/no-show-statement`;
  const statement = "We waited outside the locked venue until 23:00.";
  expect((await artist(page)).body.can).toMatchObject({ state_no_show: false });
  expect((await artist(address, { statement })).status).toBe(409);
  await report();
  expect((await promoter(page)).body.can).toMatchObject({ state_no_show: false });
  expect((await artist(page)).body.can).toMatchObject({ state_no_show: true });
  for (const text of ["short", "x".repeat(2_001)])
    expect((await artist(address, { statement: text })).status).toBe(400);
  expect((await promoter(address, { statement })).status).toBe(403);
  const stranger = await show(2);
  expect((await stranger.artist(address, { statement })).status).toBe(404);

  const stated = await artist(address, { statement });
  expect(stated).toMatchObject({ status: 200, body: { can: { state_no_show: false }, no_show: { statement } } });
  expect((await artist(address, { statement: "Another text." })).status).toBe(409);
  for (const at of [promoter, admin]) {
    const { no_show: shown, timeline } = (await at(page)).body;
    expect(shown).toMatchObject({ statement });
    expect(timeline.find(({ kind }) => kind === "no_show_stated")).toMatchObject({ detail: statement });
  }
  await app.settle();
  const alarms = (await emailsFor(app, booking.id)).filter(({ text }) =>
    text.replaceAll(/\s+/g, " ").includes(`They wrote: ${statement}`),
  );
  const admins = await activeAdmins(app.database.db, app.services.realClock.now());
  const answered = (await emailsFor(app, booking.id)).filter(({ template }) => template === "no_show_stated");
  expect(answered.map(({ recipient }) => recipient)).toEqual([booking.promoter_email]);
  expect(alarms.map(({ recipient }) => recipient).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
  const headers = await app.signIn(artistUser);
  const exported = await app.request("/api/me/export", { method: "POST", headers, body: {} });
  const { tables } = (await exported.json()) as { tables: Record<string, unknown> };
  expect(tables["no_show_reports"]).toMatchObject([{ booking_id: booking.id, statement }]);

  const late = await show(2);
  await late.report();
  await late.decide(0);
  expect((await late.artist(`/api/artist/bookings/${late.booking.id}/no-show-statement`, { statement })).status).toBe(
    409,
  );
  expect((await decide(150_000)).status).toBe(200);
});

test.each([
  ["before the show begins", -10],
  ["a day after its end", 24.1],
])("a no-show report is refused (409) %s", async (_name, hours) => {
  const { report, promoter, page } = await show(hours);
  const { can, timeline } = (await promoter(page)).body;
  expect(can).toMatchObject({ report_no_show: false });
  expect(timeline.some(({ kind }) => kind === "show")).toBe(hours > 0);
  expect((await report()).status).toBe(409);
});

test("a guest reports with the key of an emailed link, and not with an unverified, wrong or expired one", async () => {
  const { keys } = app.services;
  const booking = await app.make.booking({ keys, status: "contract_signed", balancePaid: true, fee: 150_000 });
  await moveShow(booking.id, 23);
  await app.database.db.updateTable("bookings").set({ verified_key_hash: null }).where("id", "=", booking.id).execute();
  const page = `/api/bookings/${booking.id}`;
  const report = { note: "Nobody came to the stage." };
  const unverified = guestOf(app, booking.id);
  expect((await unverified.json(page)).body).toMatchObject({ can: { report_no_show: false } });
  expect((await unverified.json(`${page}/no-show`, report)).status).toBe(403);
  const guest = browser(app);
  expect((await guest.json(`${page}/no-show`, report)).status).toBe(404);
  const tooOld = new Date(app.clock.now().getTime() - (bookingLinkDays + 1) * dayMs);
  for (const link of [linkTokenOf(app, booking.id, tooOld), linkTokenOf(app, randomUUID())])
    expect((await guest.json(`${page}/open`, { link })).status).toBe(404);
  expect((await guest.json(`${page}/no-show`, report)).status).toBe(404);
  await verifyMailbox(app, guest, booking.id);
  expect((await unverified.json(`${page}/no-show`, report)).status).toBe(403);
  const reported = await guest.json(`${page}/no-show`, report);
  expect(reported).toMatchObject({ status: 200, body: { viewer: "guest", can: { report_no_show: false } } });
  expect(reported.body["no_show"]).toMatchObject({ ...report, decided_at: null });
});

test("only the promoter reports, and only an admin decides, on an open report and up to the held amount", async () => {
  const { artist, admin, promoter, page, booking, report, decide } = await show(1);
  const note = "Nobody came to the stage.";
  for (const stranger of [artist, admin]) expect((await stranger(`${page}/no-show`, { note })).status).toBe(404);
  expect((await decide(0)).status).toBe(409);
  await report();
  const address = `/api/admin/bookings/${booking.id}/no-show`;
  const body = { release_cents: 0, decision: "This is what we have found." };
  for (const stranger of [artist, promoter]) expect((await stranger(address, body)).status).toBe(403);
  expect((await decide(150_001)).status).toBe(409);
  expect((await admin(page)).body.can).toMatchObject({ decide_no_show: true });
});

describe("decideNoShow", () => {
  test("completes the booking when everything is released, and the artist is owed gross less commission", async () => {
    const { report, decide, booking } = await show(1);
    await report();
    const { body } = await decide(150_000);
    expect(body).toMatchObject({
      status: "completed",
      money: { held_cents: 0, returning_cents: 0, artist_cents: 135_000 },
    });
    expect(decisionOf(body)).toMatchObject({ text: "The report was decided", by: "An admin" });
    // The artist is not paid before the time to report a no-show is over, as after every other show.
    const payout = app.database.db.selectFrom("payouts").select("due_at").where("booking_id", "=", booking.id);
    const { ends_at: end } = await bookingRow(app, booking.id);
    expect((await payout.executeTakeFirstOrThrow()).due_at).toEqual(new Date(end.getTime() + 24 * hourMs));
  });

  test("refunds the rest when a part is released, and notifies both parties", async () => {
    const { report, decide, booking } = await show(1);
    await report();
    const { body } = await decide(50_001);
    expect(body).toMatchObject({ status: "completed", money: { returning_cents: 99_999, artist_cents: 45_001 } });
    await submitRefunds(app.services);
    await app.settle();
    await makePayouts(app.services);
    const sent = (await emailsFor(app, booking.id)).filter(({ template }) => template === "no_show_decided");
    const texts = sent.map(({ text }) => text.replaceAll(/\s+/g, " ")).join("\n");
    expect(sent).toHaveLength(2);
    expect(texts).toContain(
      "$500.01 is released to you ($450.01 after the commission), and $999.99 is refunded to the promoter.",
    );
    expect(texts).toContain("$500.01 is released to the artist, and $999.99 is refunded to the card it was paid with.");
    // The refund of an admin's own decision raises no alarm.
    await follow(app);
    const emails = await emailsFor(app, booking.id);
    expect(emails.map(({ template }) => template)).toContain("refund_sent");
    expect(emails.filter(({ text }) => text.includes("the booking remains active"))).toEqual([]);
    expect((await decide(0)).status).toBe(409);
  });

  test("cancels the booking as the artist's breach with a full refund when nothing is released", async () => {
    const { report, decide, booking, page, promoter, artist, admin } = await show(1);
    await report();
    const { body } = await decide(0);
    expect(body).toMatchObject({ status: "canceled", money: { held_cents: 0, returning_cents: 150_000 } });
    expect(await bookingRow(app, booking.id)).toMatchObject({ canceled_by: "admin", cancel_code: "no_show" });
    await app.settle();
    const ended = (await emailsFor(app, booking.id)).filter(({ template }) => template === "booking_canceled");
    expect(ended).toHaveLength(2);
    const texts = ended.map(({ text }) => text.replaceAll(/\s+/g, " ")).join("\n");
    expect(texts).toContain("You reported that the artist did not appear. We have decided");
    expect(texts).toContain("The promoter reported that you did not appear. We have decided");
    const canceled = async (at: typeof admin) =>
      (await at(page)).body.timeline.find(({ kind }) => kind === "canceled")?.text;
    expect(await canceled(promoter)).toMatch(/^Canceled: You reported that the artist did not appear\./);
    expect(await canceled(artist)).toMatch(/^Canceled: The promoter reported that you did not appear\./);
    expect(await canceled(admin)).toBe("Canceled: The promoter reported that the artist did not appear.");
    expect((await emailsFor(app, booking.id)).map(({ template }) => template)).not.toContain("no_show_decided");
  });

  test("completes a running show with a part, but a full release only closes the report", async () => {
    const divided = await show(-1);
    await divided.report();
    expect((await divided.decide(10_000)).body).toMatchObject({ status: "completed", money: { held_cents: 0 } });
    const { report, decide, booking } = await show(-1);
    await report();
    const { body } = await decide(150_000);
    expect(body).toMatchObject({ status: "contract_signed", money: { held_cents: 150_000 } });
    await app.settle();
    const sent = (await emailsFor(app, booking.id)).filter(({ template }) => template === "no_show_decided");
    const promised = "The report is closed. We continue to hold the money until the show is completed.";
    for (const { text } of sent) expect(text.replaceAll(/\s+/g, " ")).toContain(promised);
    expect(sent).toHaveLength(2);
    app.clock.advance(50 * hourMs);
    await completeShows(app.services);
    expect((await bookingRow(app, booking.id)).status).toBe("completed");
  });

  test("refuses a partial release while the balance is unpaid, and a full release only closes the report", async () => {
    const { report, decide, booking } = await show(1, { balancePaid: false });
    await report();
    expect((await decide(10_000)).status).toBe(409);
    const { body } = await decide(37_500);
    const message = "This report has already been decided. Reload the booking.";
    expect(await decide(37_500)).toMatchObject({ status: 409, body: { message } });
    expect(body).toMatchObject({ status: "contract_signed", money: { held_cents: 37_500 } });
    expect(body.no_show?.decided_at).not.toBe(null);
    await app.settle();
    const sent = (await emailsFor(app, booking.id)).filter(({ template }) => template === "no_show_decided");
    expect(sent).toHaveLength(2);
    for (const { text } of sent) {
      expect(text.replaceAll(/\s+/g, " ")).toContain(
        "The report is closed. We continue to hold the money until the balance is paid.",
      );
      expect(text).not.toContain("is released to the artist");
    }
  });
});

test("neither party can cancel once the show has begun, and the promoter can report a no-show", async () => {
  const { promoter, artist, admin, page, report } = await show(-1);
  expect((await promoter(page)).body.can).toMatchObject({ cancel: false, report_no_show: true });
  const seen = await promoter(`${page}/cancellation`);
  expect(seen).toMatchObject({ status: 409, body: { message: "The show has begun. Report a no-show instead." } });
  const cancellation = { code: "plans_changed", expected_refund_cents: 0 };
  expect((await promoter(`${page}/cancel`, cancellation)).status).toBe(409);
  const tooLate = {
    status: 409,
    body: { message: "The show has begun. You can no longer cancel this booking." },
  };
  for (const step of [async () => undefined, report]) {
    await step();
    expect((await artist(page)).body.can).toMatchObject({ cancel: false });
    expect(await artist(`${page}/cancellation`)).toMatchObject(tooLate);
    const refused = await artist(`${page}/cancel`, { code: "cannot_perform", expected_refund_cents: 150_000 });
    expect(refused).toMatchObject(tooLate);
  }
  expect((await admin(page)).body.can).toMatchObject({ cancel: true, decide_no_show: true });
});

test("the cancellation of an admin closes an open no-show report", async () => {
  const { artist, admin, page, report, decide } = await show(1);
  await report();
  const done = await admin(`${page}/cancel`, { code: "other", expected_refund_cents: 150_000 });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  expect((await artist(page)).body.no_show?.decided_at).not.toBe(null);
  expect(decisionOf((await artist(page)).body)).toMatchObject({ text: "The report was closed", by: null });
  expect((await decide(0)).status).toBe(409);
});

test("decideNoShow accepts one of three concurrent decisions", async () => {
  const { report, decide } = await show(1);
  await report();
  const answers = await Promise.all([decide(0), decide(150_000), decide(70_000)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});
