import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

test("stores a request and notifies its promoter with one read per answer", async () => {
  const read: string[] = [];
  app.database.onStatement(({ text }) => {
    if (/^\s*(select|with)\b/.test(text) && !text.includes("pg_notify")) read.push(text);
  });
  const artist = await app.make.artist();
  const at = browser(app);
  await app.settle();
  read.length = 0;
  expect((await at.requestBooking({ artistId: artist.slug, eventDate: dayAhead(app, 40) })).status).toBe(201);
  // The offer, the lock of the person, what is reserved, blocked and on hold around the date, and the lock of the artist.
  expect(read.filter((text) => !text.includes("rate_limits"))).toHaveLength(6);
  read.length = 0;
  await app.settle();
  const ofEvent = read.filter((text) => !/event_outbox|sandbox_objects|provider_events/.test(text));
  // The booking with its artist, until when its date is reserved, the artist's settings and the platform's.
  expect(ofEvent).toHaveLength(4);
});
