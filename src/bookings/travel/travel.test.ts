import { expect, test } from "vitest";
import { addDays } from "#platform/time/calendar.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

type Warnings = { first: { booking_id: string }; next: { booking_id: string; is_request: boolean }; message: string }[];

test("the travel warnings name shows and requests too far from their neighbors at the artist's speed, and refuse nothing", async () => {
  const { person } = peopleOf(() => app);
  const owner = await person("artist");
  const artist = await app.make.artist({ userId: owner.user.id, location: "Austin, Texas" });
  const night = dayAhead(app, 40);
  const book = (days: number, venue: string, status: "deposit_paid" | "initiated" | "canceled" = "deposit_paid") =>
    app.make.booking({ artist, eventDate: addDays(night, days), eventTime: "20:00", minutes: 120, venue, status });
  const austin = await book(0, "The Waterworks, Austin, Texas");
  const chicago = await book(1, "Metro, Chicago, Illinois");
  await book(2, "Nowhere that is known");
  await book(3, "Stubb's, Austin, Texas");
  await book(1, "The Fillmore, San Francisco, California", "canceled");
  const request = await book(4, "Metro, Chicago, Illinois", "initiated");
  const read = async () => (await owner.at.json("/api/artist/travel-warnings")).body["items"] as Warnings;
  const idsOf = (all: Warnings) => all.map(({ first, next }) => [first.booking_id, next.booking_id, next.is_request]);

  // 977 miles: at 80 km/h 19 h 40 min, within 22 h of each other.
  expect(idsOf(await read())).toEqual([]);
  const headers = await app.signIn(owner.user);
  const save = async (values: object) => {
    const { version } = (await (await app.request("/api/artist/settings", { headers })).json()) as { version: number };
    return (await app.request("/api/artist/settings", { method: "PATCH", headers, body: { values, version } })).status;
  };
  expect([await save({ travelSpeed: 19 }), await save({ travelSpeedUnit: "knots" })]).toEqual([400, 400]);
  expect(await save({ travelSpeed: 30, travelSpeedUnit: "mph" })).toBe(200);
  const warnings = await read();
  expect(idsOf(warnings)).toEqual([
    [austin.id, chicago.id, false],
    [expect.any(String), request.id, true],
  ]);
  expect(warnings[0]?.message).toMatch(
    /in Austin, Texas ends at 22:00, and .* in Chicago, Illinois begins at 20:00\..* At 30 mph/,
  );

  const stranger = await person("artist");
  await app.make.artist({ userId: stranger.user.id });
  expect((await stranger.at.json("/api/artist/travel-warnings")).body["items"]).toEqual([]);
  const requested = await owner.at.requestBooking({
    artistId: artist.slug,
    eventDate: addDays(night, 5),
    eventLocation: "Berlin, Germany",
  });
  expect(requested.status).toBe(201);
  expect((await read()).some(({ next }) => next.booking_id === requested.body.id)).toBe(true);
});
