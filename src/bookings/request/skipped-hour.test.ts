/** The hour that clocks skip on 14 March 2027 in Chicago, 02:00 to 03:00: a time in it counts as 03:00, in TypeScript and in SQL. */

import { expect, test } from "vitest";
import { json } from "#platform/db/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { checkBooking } from "./date-check.ts";

const app = closeAfterFile(await testApp({ now: new Date("2027-03-01T12:00:00Z") }));
const { artist, person } = peopleOf(() => app);

/** The state of a night in the calendar (SQL) and in the date check (TypeScript). */
async function nightState({ slug }: { slug: string }, night: string) {
  const db = app.database.db;
  const response = await app.request(`/api/artists/${slug}/availability?from=${night}&to=${night}`);
  const { items } = (await response.json()) as { items: { state: string }[] };
  const at = { now: app.clock.now(), payments: true, heldBy: null, isOwn: () => false, promoterUserId: null };
  const { date } = await checkBooking(db, { artistId: slug, eventDate: night }, at);
  return [items[0]?.state, date.state];
}

test.each([
  ["02:15", "taken"],
  ["03:15", "free"],
])("a night that ends at 02:30 is over at 03:00 for a show at %s on the next morning: %s", async (time, state) => {
  for (const [night, eventDate] of [
    ["2027-03-13", "2027-03-14"],
    ["2027-03-20", "2027-03-21"],
  ] as const) {
    const act = await artist({ location: "Austin, Texas", name: `Night Owl ${night} ${time}` });
    await app.database.db
      .insertInto("settings")
      .values({ scope: "artist", owner_id: act.id, value: json({ nightEndsAt: "02:30", minimumNotice: 0 }) })
      .execute();
    const isMissing = time === "02:15" && eventDate === "2027-03-14";
    const eventTime = isMissing ? "01:45" : time;
    await app.make.booking({ artist: act, eventDate, eventTime, minutes: 60, status: "deposit_paid" });
    expect(await nightState(act, night), night).toEqual([state, state]);
  }
});

test.each([
  [
    "2027-11-07",
    "01:30",
    60,
    "Sunday 7 November 2027 is free. Clocks go back, so 01:30 comes twice: this is the first one (UTC-05:00). Clocks change during the show: it ends at 01:30 (UTC-06:00).",
  ],
  [
    "2027-03-13",
    "23:30",
    150,
    "Saturday 13 March 2027 is free. Clocks change during the show: it ends at 03:00 (UTC-05:00).",
  ],
  ["2027-03-20", "23:30", 150, "Saturday 20 March 2027 is free."],
])("the check of %s at %s names the change of clocks", async (eventDate, eventTime, minutes, message) => {
  const { slug } = await artist({ location: "Austin, Texas" });
  const at = { now: app.clock.now(), payments: true, heldBy: null, isOwn: () => false, promoterUserId: null };
  const question = { artistId: slug, eventDate, eventTime, duration: `${minutes} minutes` };
  expect((await checkBooking(app.database.db, question, at)).date.message).toBe(message);
});

test("a block from or until a skipped time begins or ends at 03:00", async () => {
  const player = await person("artist");
  await artist({ userId: player.user.id, location: "Austin, Texas" });
  const block = async (starts_at: string, ends_at: string) => {
    const { body } = await player.at.json("/api/artist/blocked-times", { starts_at, ends_at, note: "" });
    return [body["starts_at"], body["ends_at"]];
  };
  expect(await block("2027-03-13T22:00", "2027-03-14T02:30")).toEqual([
    "2027-03-14T04:00:00.000Z",
    "2027-03-14T08:00:00.000Z",
  ]);
  expect(await block("2027-03-14T02:45", "2027-03-14T05:00")).toEqual([
    "2027-03-14T08:00:00.000Z",
    "2027-03-14T10:00:00.000Z",
  ]);
});
