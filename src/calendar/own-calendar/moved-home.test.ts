import { sql } from "kysely";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, type Person, promoterOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const people = peopleOf(() => app);

const blockTime = async (owner: Person, starts_at: string, ends_at: string) =>
  (await owner.at.json("/api/artist/blocked-times", { starts_at, ends_at, note: "" })).body["id"];

/** Saves another town in the profile. Returns the blocked times, in the artist's zone. */
async function moveHome(
  { at, user }: Person,
  act: { id: string; name: string; genre: string },
  town: string,
  status = 200,
) {
  const { items } = (await at.json(`/api/places?search=${town}`)).body as unknown as { items: { id: string }[] };
  const headers = await app.signIn(user);
  const profile = { name: act.name, genre: act.genre, bio: "", base_rate: 90_000, photo_url: null, video_url: null };
  const body = { ...profile, place_id: items[0]?.id };
  expect((await app.request("/api/artist/profile", { method: "PUT", headers, body })).status).toBe(status);
  const { rows } = await sql<{ id: string; from: string; to: string }>`
    select r.id, to_char(lower(span) at time zone a.time_zone, 'MM-DD HH24:MI') as from,
      to_char(upper(during) at time zone a.time_zone, 'MM-DD HH24:MI') as to
    from date_reservations r join artists a on a.id = r.artist_id where a.id = ${act.id} and kind = 'blocked' order by lower(during)`.execute(
    app.database.db,
  );
  return rows.map(({ id, from, to }) => [id, from, to]);
}

test("keeps blocked nights on their days when the artist moves to another time zone and back, and parts of a night at their instants", async () => {
  const owner = await people.person("artist");
  const act = await app.make.artist({ userId: owner.user.id, location: "Austin, Texas" });
  const block = (from: string, to: string) => blockTime(owner, from, to);
  // Clocks go forward in Austin on 14 March, in Berlin on 28 March.
  const nights = await block("2027-03-13T06:00", "2027-03-15T06:00");
  const next = await block("2027-03-27T06:00", "2027-03-30T06:00");
  const part = await block("2027-04-02T14:00", "2027-04-02T18:00");
  await app.database.db
    .insertInto("external_calendars")
    .values({ artist_id: act.id, name: "x", url_sealed: "x", url_host: "x", etag: "1", checked_at: app.clock.now() })
    .execute();
  const moveTo = (town: string) => moveHome(owner, act, town);
  // A moved time is another entry of the feed, because it has no SEQUENCE.
  const moved = expect.not.stringMatching(`${nights}|${next}|${part}`);
  expect(await moveTo("Berlin")).toEqual([
    [moved, "03-13 06:00", "03-15 06:00"],
    [moved, "03-27 06:00", "03-30 06:00"],
    [part, "04-02 21:00", "04-03 01:00"],
  ]);
  const calendar = await app.database.db
    .selectFrom("external_calendars")
    .selectAll()
    .where("artist_id", "=", act.id)
    .executeTakeFirst();
  expect(calendar).toMatchObject({ etag: null, checked_at: null });
  expect(await moveTo("Austin")).toEqual([
    [moved, "03-13 06:00", "03-15 06:00"],
    [moved, "03-27 06:00", "03-30 06:00"],
    [part, "04-02 14:00", "04-02 18:00"],
  ]);

  // Ends at 02:00 in Austin, which is 09:00 in Berlin.
  const event = { eventDate: "2027-05-01", eventTime: "01:00", minutes: 60, status: "deposit_paid" } as const;
  await app.make.booking({ artist: act, ...event });
  await block("2027-05-01T06:00", "2027-05-02T06:00");
  const pieces = (await moveTo("Berlin")).slice(3);
  expect(pieces).toHaveLength(2);
  expect([pieces[0]?.[1], pieces[1]?.[2]]).toEqual(["05-01 06:00", "05-02 06:00"]);
  // In Austin the show is before the night again, which is blocked in whole.
  expect((await moveTo("Austin")).slice(3)).toEqual([[moved, "05-01 06:00", "05-02 06:00"]]);
});

test("removes a blocked night whose time a show takes in another zone, and refuses the move during a checkout", async () => {
  const owner = await people.person("artist");
  const act = await app.make.artist({ userId: owner.user.id, location: "Austin, Texas" });
  await moveHome(owner, act, "Apia");
  await blockTime(owner, "2027-06-01T06:00", "2027-06-02T06:00");
  const show = await app.make.booking({ artist: act, eventDate: "2027-06-03", status: "deposit_paid" });
  // The same night in Pago Pago, a day later.
  const take = (kind: string, expires: string | null) =>
    sql`update date_reservations set kind = ${kind}, expires_at = ${expires}::timestamptz, during = '[2027-06-01T17:00Z, 2027-06-02T17:00Z)'
      where booking_id = ${show.id}`.execute(app.database.db);
  await take("hold", "2099-01-01");
  expect(await moveHome(owner, act, "Pago", 409)).toHaveLength(1);
  await take("booked", null);
  expect(await moveHome(owner, act, "Pago")).toEqual([]);
});

test("keeps nights on hold and the blocked night beside them on their days when the artist moves to another time zone", async () => {
  const { act, owner } = await artistWithHolds(app);
  const [held, blocked, free] = [40, 41, 42].map((days) => dayAhead(app, days)) as [string, string, string];
  const promoter = await promoterOf(app);
  await holdsBy(promoter).place(act.slug, [held], { eventLocation: "The Waterworks" });
  await blockTime(owner, `${blocked}T06:00`, `${free}T06:00`);
  const states = async () => {
    const response = await app.request(`/api/artists/${act.slug}/availability?from=${held}&to=${free}`);
    return ((await response.json()) as { items: { state: string }[] }).items.map(({ state }) => state);
  };
  const kept = ["on_hold", "closed", "free"];
  expect(await states()).toEqual(kept);
  for (const town of ["Auckland", "Austin"]) {
    const times = await moveHome(owner, act, town);
    expect(times.map(([, from, to]) => [from, to])).toEqual([[`${blocked.slice(5)} 06:00`, `${free.slice(5)} 06:00`]]);
    expect(await states(), town).toEqual(kept);
  }
  // 20:00 in Austin is in the next afternoon in Auckland.
  await holdsBy(promoter).placed(act.slug, [free]);
  await moveHome(owner, act, "Auckland", 409);
});
