import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, emailsFor, follow, reservations } from "#test/harness/bookings.ts";
import { artistWithHolds, holdMailsOf, holdsBy, only, promotersOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { expireUnpaid } from "../jobs.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

describe.each([true, false])("convertHold of a hold entered by hand, with a deposit: %s", (requireDeposit) => {
  const until = () => new Date(app.clock.now().getTime() + 30 * 24 * hourMs);
  const converted = async (email: string) => {
    const { owner, act } = await artistWithHolds(app, { requireDeposit });
    const night = dayAhead(app, 50);
    const { hold } = await holdsBy(owner).enter(night, { until: until(), name: "Somebody", email });
    const made = await holdsBy(owner).convert(hold.id, night);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    await follow(app);
    const id = String(made.body["booking_id"]);
    const accept = () => owner.at.json(`/api/artist/bookings/${id}/accept`, {});
    return { owner, act, id, accept, body: made.body };
  };
  const inAnHour = () => new Date(app.clock.now().getTime() + hourMs);
  const endAnswerSoon = (id: string) =>
    app.database.db.updateTable("bookings").set({ answer_due_at: inAnHour() }).where("id", "=", id).execute();
  async function openConfirmationLink(id: string, email: string) {
    const { text } = only(await holdMailsOf(app, email, /^Do you want to book/));
    const link = /\/booking\/[\w-]+\?link=([\w.-]+)/.exec(text ?? "")?.[1];
    expect((await browser(app).json(`/api/bookings/${id}/open`, { link })).status).toBe(200);
  }
  /** Expects that the artist is notified of the confirmation, and has the whole time to answer from it. */
  async function expectNewAnswer(id: string, artist: string) {
    await follow(app);
    const due = (await bookingRow(app, id)).answer_due_at?.getTime() ?? 0;
    expect(due).toBeGreaterThan(app.clock.now().getTime() + 71 * hourMs);
    const requests = (await emailsFor(app, id)).filter(({ template }) => template === "new_request");
    expect(requests.map(({ recipient }) => recipient)).toEqual([artist]);
  }

  test("asks the account with the entered address to confirm, before anything is booked", async () => {
    const [account] = await promotersOf(app, 1);
    if (!account) throw new Error("no account");
    const organization = JSON.stringify({ organizationName: "SECRET ORG GmbH" });
    await sql`insert into settings (scope, owner_id, value) values ('promoter', ${account.user.id}, ${organization}::jsonb)`.execute(
      app.database.db,
    );
    const { owner, act, id, accept, body } = await converted(account.user.email);
    expect(body).toMatchObject({ booked: false });
    expect(await bookingRow(app, id)).toMatchObject({
      status: "initiated",
      needs_confirmation: true,
      email_proven_at: null,
    });
    expect((await accept()).status).toBe(409);
    const mail = only(await holdMailsOf(app, account.user.email, /^Do you want to book /));
    expect(mail.text).toContain("Sign in to confirm the request");
    expect(JSON.stringify(await holdMailsOf(app, account.user.email, /./))).not.toContain("Somebody");
    expect(JSON.stringify((await owner.at.json(`/api/bookings/${id}`)).body)).not.toContain("SECRET");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);

    if (!requireDeposit) await endAnswerSoon(id);
    const confirmed = await account.at.json(`/api/bookings/${id}/confirm-request`, { is_own: true });
    expect(confirmed.body).toMatchObject({ can: { pay: requireDeposit ? "deposit" : null } });
    if (!requireDeposit) await expectNewAnswer(id, owner.user.email);
    if (!requireDeposit) expect((await accept()).body).toMatchObject({ status: "deposit_paid" });
  });

  test("answers the artist the same for an address without an account", async () => {
    const email = `nobody-${requireDeposit}@quayside.example`;
    const { id, owner, accept, body } = await converted(email);
    expect(body).toMatchObject({ booked: false });
    if (requireDeposit) return;
    await endAnswerSoon(id);
    expect((await accept()).status).toBe(409);
    await openConfirmationLink(id, email);
    await expectNewAnswer(id, owner.user.email);
    expect((await accept()).body).toMatchObject({ status: "deposit_paid" });
  });

  test("gives the artist no new time for a request that is confirmed after it", async () => {
    const email = `late-${requireDeposit}@quayside.example`;
    const { id } = await converted(email);
    if (requireDeposit) return;
    app.clock.advance(73 * hourMs);
    await openConfirmationLink(id, email);
    await expireUnpaid(app.services);
    expect(await bookingRow(app, id)).toMatchObject({ status: "canceled" });
  });

  test("does not end as unanswered by the artist if the promoter never confirms", async () => {
    if (requireDeposit) return;
    const { id } = await converted("never-confirmed@quayside.example");
    app.clock.advance(73 * hourMs);
    await expireUnpaid(app.services);
    await follow(app);
    expect(await bookingRow(app, id)).toMatchObject({ status: "canceled", cancel_code: "not_requested" });
    const ended = (await emailsFor(app, id)).filter(({ template }) => template === "booking_canceled");
    expect(
      ended.map(({ text }) => String(/has\s+ended\.\s+([^.]+)\./.exec(text)?.[1]).replaceAll(/\s+/g, " ")).toSorted(),
    ).toEqual(["The owner of the email address did not confirm the request", "You did not confirm the request"]);
  });
});
