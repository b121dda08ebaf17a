/** Concurrent holds of a date. Only a real PostgreSQL can have a race, because the embedded engine has one connection. */

import { sql } from "kysely";
import { expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, reservations, dayAhead, follow } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promotersOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

async function rivals(count: number, given: (index: number) => { eventTime?: string }) {
  const artist = await app.make.artist({ location: "Austin, Texas" });
  const bookings = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      app.make.booking({ artist, keys: app.services.keys, eventDate: dayAhead(app, 60), ...given(index) }),
    ),
  );
  const visitors = bookings.map((booking) => {
    const visitor = browser(app);
    visitor.jar.set("bookings", bookingKey(app.services.keys, booking.id));
    return () => visitor.checkout(booking);
  });
  return { artist, visitors };
}

test("opens one checkout for overlapping requests of many promoters, and returns an error message to the others", async () => {
  for (let round = 0; round < 3; round++) {
    const { artist, visitors } = await rivals(60, (index) => ({
      eventTime: `${18 + (index % 5)}:${index % 2 ? "30" : "00"}`,
    }));
    const answers = await Promise.all(visitors.map((send) => send()));
    const won = answers.filter((response) => response.status === 200);
    const lost = answers.filter((response) => response.status === 409);
    expect(won).toHaveLength(1);
    expect(lost).toHaveLength(59);
    for (const response of lost) expect(response.body["message"]).toMatch(/is on hold for 30 minutes/);
    expect(await reservations(app, artist.id)).toHaveLength(1);
  }
});

test("opens one session for a hundred calls for one booking", async () => {
  const { visitors } = await rivals(1, () => ({}));
  const [send] = visitors;
  const answers = await Promise.all(Array.from({ length: 100 }, async () => send?.()));
  expect(new Set(answers.map((response) => response?.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((response) => response?.body["session_id"])).size).toBe(1);
});

test("blocks the whole night of an artist who cannot perform, during holds and checkouts of other promoters", async () => {
  const promoters = await promotersOf(app, 6);
  const lost: string[] = [];
  for (let round = 0; round < 6; round++) {
    const { act, owner } = await artistWithHolds(app);
    const eventDate = dayAhead(app, 60);
    const given = { artist: act, keys: app.services.keys, eventDate };
    const { id } = await app.make.booking({ ...given, eventTime: "20:00" });
    const cancel = async (): Promise<number> => {
      const body = { code: "cannot_perform", expected_refund_cents: 0 };
      const response = await owner.at.json(`/api/bookings/${id}/cancel`, body);
      if (response.status !== 409) return response.status;
      lost.push(String(response.body["message"]));
      return cancel();
    };
    const checkouts = await Promise.all(
      ["11:00", "12:00", "13:00"].map(async (eventTime) => {
        const booking = await app.make.booking({ ...given, eventTime, minutes: 60 });
        const visitor = browser(app);
        visitor.jar.set("bookings", bookingKey(app.services.keys, booking.id));
        return () => visitor.checkout(booking);
      }),
    );
    const holds = promoters.map((promoter) => () => holdsBy(promoter).place(act.slug, [eventDate]));
    const rivals = round % 2 ? checkouts : holds;
    const [canceled, ...answers] = await Promise.all([cancel(), ...rivals.map(async (send) => (await send()).status)]);
    expect(canceled).toBe(200);
    for (const status of answers) expect([200, 201, 409, 410]).toContain(status);
    await follow(app);
    const times = sql<string>`tstzrange((${eventDate}::date + time '06:00') at time zone 'America/Chicago', (${eventDate}::date + 1 + time '06:00') at time zone 'America/Chicago')`;
    const { rows } = await sql<{ kinds: string[]; whole: boolean; holds: number }>`
      select array_agg(distinct kind) as kinds, range_agg(during) = tstzmultirange(${times}) as whole,
        (select count(*)::int from hold_nights where artist_id = ${act.id} and state = 'active') as holds
      from date_reservations where artist_id = ${act.id}`.execute(app.database.db);
    expect(rows).toEqual([{ kinds: ["blocked"], whole: true, holds: 0 }]);
  }
  for (const message of lost)
    expect(message).toBe("A promoter is at the checkout for this night. Try again in a minute.");
});
