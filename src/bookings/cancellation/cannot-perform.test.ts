import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addDays } from "#platform/time/calendar.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, follow, peopleOf, reservations } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, type Person, promotersOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { held } = peopleOf(() => app);

const cancelFor = (at: Person["at"], id: string, refund: number) =>
  at.json(`/api/bookings/${id}/cancel`, { code: "cannot_perform", expected_refund_cents: refund });

/** Returns the blocked times of an artist in local time, as "DD HH:MM". */
const blockedTimes = async (artistId: string) => {
  const { rows } = await sql<{ from: string; to: string }>`
    select to_char(lower(span) at time zone 'America/Chicago', 'DD HH24:MI') as from,
      to_char(upper(span) at time zone 'America/Chicago', 'DD HH24:MI') as to
    from date_reservations where artist_id = ${artistId} and kind = 'blocked' order by lower(span)`.execute(
    app.database.db,
  );
  return rows.map(({ from, to }) => `${from} to ${to}`);
};

const emailsTo = async (email: string) =>
  (
    await app.database.db
      .selectFrom("messages")
      .select(["template", "subject", "text"])
      .where("recipient", "=", email)
      .orderBy("created_at")
      .execute()
  ).map(({ template, subject, text }) => `${template}: ${subject} ${text.replaceAll(/\s+/g, " ")}`);

describe("the cancellation of an artist who cannot perform", () => {
  test("releases the holds of the night, notifies their promoters, and blocks the whole night", async () => {
    const { act, owner } = await artistWithHolds(app);
    const [first = owner, second = owner] = await promotersOf(app, 2);
    const [night, next] = [dayAhead(app, 40), dayAhead(app, 41)];
    const { id } = await holdsBy(first).placed(act.slug, [night, next]);
    await holdsBy(second).placed(act.slug, [night]);
    const opened = await holdsBy(first).book(id, night);
    expect((await cancelFor(owner.at, String(opened.body["booking_id"]), 0)).status).toBe(200);
    await follow(app);
    expect(await blockedTimes(act.id)).toEqual([`${night.slice(-2)} 06:00 to ${next.slice(-2)} 06:00`]);
    const states = async (person: Person) =>
      (await holdsBy(person).mine())[0]?.nights.map((one) => `${one.night} ${one.state}`);
    expect(await states(first)).toEqual([`${night} released`, `${next} active`]);
    expect(await states(second)).toEqual([`${night} released`]);
    const emails = await emailsTo(second.user.email);
    expect(emails.at(-1)).toMatch(/^hold_changed: Your hold of .* is released .*is not available that night\./);
    expect(emails.join()).not.toContain("You now have the");
    expect(await holdsBy(second).place(act.slug, [night])).toMatchObject({ status: 409 });
  });

  test("ends every request and checkout of the night, and blocks all of it except another booked show", async () => {
    const { act, owner } = await artistWithHolds(app);
    const given = { artist: act, eventDate: dayAhead(app, 45), now: app.clock.now() } as const;
    const paid = { ...given, status: "contract_signed" } as const;
    const { booking } = await held({ ...paid, eventTime: "20:00" });
    const other = await held({ ...paid, eventTime: "10:00", minutes: 60 });
    const rival = await held({ ...given, eventTime: "14:00", minutes: 60 });
    const waiting = await held({ ...given, eventTime: "16:00", minutes: 60 });
    const beside = await held({ ...given, eventDate: dayAhead(app, 47) });
    expect((await rival.visitor.checkout(rival.booking)).status).toBe(200);
    expect((await cancelFor(owner.at, booking.id, 37_500)).status).toBe(200);
    await follow(app);
    const [day, next] = [given.eventDate, addDays(given.eventDate, 1)].map((one) => one.slice(-2));
    expect(await blockedTimes(act.id)).toEqual([`${day} 06:00 to ${day} 09:00`, `${day} 12:00 to ${next} 06:00`]);
    expect((await reservations(app, act.id)).filter(({ kind }) => kind !== "blocked")).toEqual([
      { booking_id: other.booking.id, kind: "booked" },
    ]);
    expect((await emailsTo(rival.booking.promoter_email)).join()).toContain("hold_ended: ");
    for (const { booking: request } of [rival, waiting]) {
      expect(await bookingRow(app, request.id)).toMatchObject({ status: "canceled", cancel_code: "date_lost" });
      expect((await emailsTo(request.promoter_email)).at(-1)).toMatch(/^booking_canceled: .* no longer available\./);
    }
    expect(await bookingRow(app, beside.booking.id)).toMatchObject({ status: "initiated" });
    expect((await rival.visitor.checkout(rival.booking)).status).toBe(409);
    const own = (await emailsTo(owner.user.email)).find((email) => email.startsWith("booking_canceled"));
    expect(own).toContain("$375 is refunded. You are paid nothing for this booking.");
    expect(own).toContain("We have blocked this night in your calendar");
  });

  test("ends no checkout if the request is refused, because the amounts have changed or the show has begun", async () => {
    const { act, owner } = await artistWithHolds(app);
    const given = { artist: act, eventDate: dayAhead(app, 55), now: app.clock.now() } as const;
    const { booking } = await held({ ...given, status: "contract_signed", eventTime: "20:00" });
    const rival = await held({ ...given, eventTime: "12:00", minutes: 60 });
    expect((await rival.visitor.checkout(rival.booking)).status).toBe(200);
    expect((await cancelFor(owner.at, booking.id, 1)).status).toBe(409);
    expect((await cancelFor(owner.at, rival.booking.id, 1)).status).toBe(409);
    await app.database.db.updateTable("bookings").set({ status: "completed" }).where("id", "=", booking.id).execute();
    expect((await cancelFor(owner.at, booking.id, 37_500)).status).toBe(409);
    expect((await reservations(app, act.id)).filter(({ kind }) => kind === "hold")).toEqual([
      { booking_id: rival.booking.id, kind: "hold" },
    ]);
  });

  test("ends no checkout of another booking for a promoter, who cannot choose this reason", async () => {
    const { act } = await artistWithHolds(app);
    const given = { artist: act, eventDate: dayAhead(app, 50), now: app.clock.now() } as const;
    const { booking, visitor } = await held({ ...given, eventTime: "20:00" });
    const rival = await held({ ...given, eventTime: "12:00", minutes: 60 });
    expect((await rival.visitor.checkout(rival.booking)).status).toBe(200);
    expect((await cancelFor(visitor, booking.id, 0)).status).toBe(400);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: rival.booking.id, kind: "hold" }]);
    expect((await cancelFor(browser(app), booking.id, 0)).status).toBe(404);
  });
});
