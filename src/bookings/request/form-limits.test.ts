import { expect, test } from "vitest";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

test("withinFormLimits counts stored requests per network, and refused forms only as tries", async () => {
  await using app = await testApp({ env: { RATE_LIMITS: "on" } });
  const act = await app.make.artist({ location: "Austin, Texas" });
  const requestBooking = (given: object) => browser(app).requestBooking({ artistId: act.slug, ...given });
  // More refused forms than a network may store requests per hour (50 in demo mode).
  for (let tries = 0; tries < 60; tries++)
    expect((await requestBooking({ eventDate: dayAhead(app, 1) })).status).toBe(400);

  const statuses = [];
  for (let days = 0; days < 51; days++) {
    const clientEmail = `guest-${days}@whitt.example`;
    statuses.push((await requestBooking({ eventDate: dayAhead(app, 60 + days), clientEmail })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 50 }, () => 201), 429]);
});

test("withinFormLimits refuses a network after 500 forms (429)", async () => {
  await using app = await testApp({ env: { RATE_LIMITS: "on" } });
  const act = await app.make.artist();
  for (let tries = 0; tries < 500; tries++) await app.services.limits.hit("booking form tries 127.0.0.1", 500, 3_600);
  const refused = await browser(app).requestBooking({ artistId: act.slug });
  expect([refused.status, refused.body]).toMatchObject([
    429,
    { message: expect.stringMatching(/Please wait (?:59|60) minutes/) },
  ]);
});
