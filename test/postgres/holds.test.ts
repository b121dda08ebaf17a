/** Concurrent holds of a date. Only a real PostgreSQL can have a race, because the embedded engine has one connection. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { browser, reservations, dayAhead } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

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
