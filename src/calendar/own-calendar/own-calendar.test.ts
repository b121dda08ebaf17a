import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browser, dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promotersOf } from "#test/harness/calendars/holds.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Items = { kind: string; id: string; night: string; conflict: boolean; title: string }[];

test("blocks a time beside a show, lists both, and reports a conflict with another calendar", async () => {
  const { person } = peopleOf(() => app);
  const owner = await person("artist");
  const act = await app.make.artist({ userId: owner.user.id, location: "Austin, Texas" });
  const night = dayAhead(app, 50);
  const late = await app.make.booking({
    artist: act,
    eventDate: addDays(night, 1),
    eventTime: "01:00",
    minutes: 60,
    status: "deposit_paid",
  });
  await app.make.booking({ artist: act, eventDate: addDays(night, 3) });
  const post = (starts_at: string, ends_at: string) =>
    owner.at.json("/api/artist/blocked-times", { starts_at, ends_at, note: "studio" });

  const refused = await post(`${night}T20:00`, `${addDays(night, 1)}T06:00`);
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain("has a show");
  expect((await post(`${night}T20:00`, `${night}T20:00`)).status).toBe(400);
  const past = await post("2025-01-02T06:00", "2025-01-04T06:00");
  expect([past.status, past.body["message"]]).toEqual([400, "Friday 3 January 2025 has passed. Choose a later night."]);
  const long = await post(`${night}T06:00`, `${addDays(night, 367)}T06:00`);
  expect([long.status, long.body["message"]]).toEqual([
    400,
    "You can block at most 366 nights at once. Check the years.",
  ]);
  const last = await post("9999-12-31T06:00", "9999-12-31T23:00");
  expect([last.status, last.body["message"]]).toEqual([400, expect.stringContaining("Choose a year before 2100.")]);
  const blocked = await post(`${addDays(night, 2)}T18:00`, `${addDays(night, 3)}T02:00`);
  expect(blocked.status).toBe(201);
  expect(blocked.body).toMatchObject({ night: addDays(night, 2), note: "studio", time_zone: "America/Chicago" });
  // Blocked times may overlap.
  expect((await post(`${addDays(night, 2)}T12:00`, `${addDays(night, 2)}T20:00`)).status).toBe(201);
  await sql`insert into date_reservations (artist_id, kind, during, note) values (${act.id}, 'external',
    tstzrange(${late.starts_at}::timestamptz - interval '10 minutes', ${late.ends_at}::timestamptz), 'Google')`.execute(
    app.database.db,
  );

  const read = async () =>
    (await owner.at.json(`/api/artist/calendar?from=${night}&to=${addDays(night, 4)}`)).body["items"] as Items;
  expect((await read()).map(({ kind, night: of, conflict }) => [kind, of, conflict])).toEqual([
    ["external", night, true],
    ["show", night, true],
    ["blocked", addDays(night, 2), false],
    ["blocked", addDays(night, 2), false],
    ["request", addDays(night, 3), false],
  ]);
  const shown = await app.request(`/api/artists/${act.slug}/availability?from=${night}&to=${addDays(night, 3)}`);
  const { items } = (await shown.json()) as { items: { state: string }[] };
  expect(items.map((one) => one.state)).toEqual(["taken", "free", "closed", "free"]);

  await sql`insert into date_reservations (artist_id, kind, during) values (${act.id}, 'external',
    tstzrange(${`${addDays(night, 4)} 00:00`}::timestamp at time zone 'America/Chicago', ${`${addDays(night, 5)} 00:00`}::timestamp at time zone 'America/Chicago'))`.execute(
    app.database.db,
  );
  expect((await read()).at(-1)).toMatchObject({
    title: "Busy",
    night: addDays(night, 4),
    last_night: addDays(night, 4),
  });

  const stranger = await person("artist");
  await app.make.artist({ userId: stranger.user.id });
  const id = String(blocked.body["id"]);
  const remove = async ({ user }: typeof owner) =>
    (await app.request(`/api/artist/blocked-times/${id}`, { method: "DELETE", headers: await app.signIn(user) }))
      .status;
  expect(await remove(stranger)).toBe(404);
  expect(await remove(owner)).toBe(200);
  expect((await read()).filter((one) => one.id === id)).toEqual([]);
});

test("returns whether promoters can request each night, and why not, as the public availability has it", async () => {
  const { act, owner } = await artistWithHolds(app, { minimumNotice: 3, maximumBookingDays: 30 });
  const day = (ahead: number) => dayAhead(app, ahead);
  const put = (night: string, hours: readonly [number, number], kind: string) =>
    sql`insert into date_reservations (artist_id, kind, during) values (${act.id}, ${kind}, tstzrange(
      ${night}::date::timestamp at time zone 'America/Chicago' + make_interval(hours => ${hours[0]}),
      ${night}::date::timestamp at time zone 'America/Chicago' + make_interval(hours => ${hours[1]})))`.execute(
      app.database.db,
    );
  const closed = { nights: [day(5)], open: false };
  const headers = await app.signIn(owner.user);
  expect((await app.request("/api/artist/night-exceptions", { method: "PUT", headers, body: closed })).status).toBe(
    200,
  );
  await put(day(6), [18, 23], "blocked");
  await put(day(7), [19, 22], "external");
  // Does not overlap a show in the evening.
  await put(day(8), [9, 11], "external");
  await app.make.booking({ artist: act, eventDate: day(9), status: "deposit_paid" });
  const visitor = browser(app);
  const { body: request } = await visitor.requestBooking({ artistId: act.slug, eventDate: day(10) });
  expect((await visitor.checkout(request)).status).toBe(200);
  const [promoter] = await promotersOf(app, 1);
  if (!promoter) throw new Error("no promoter");
  await holdsBy(promoter).placed(act.slug, [day(11)]);
  await app.make.booking({ artist: act, eventDate: day(12) });

  const range = `from=${day(-1)}&to=${day(31)}`;
  const { body } = await owner.at.json(`/api/artist/calendar?${range}`);
  const states = new Map((body["nights"] as { night: string; state: string }[]).map((one) => [one.night, one.state]));
  const unavailable = Object.fromEntries([...states].filter(([, state]) => state !== "free"));
  expect(unavailable).toEqual({
    [day(-1)]: "past",
    ...Object.fromEntries([0, 1, 2].map((ahead) => [day(ahead), "too_soon"])),
    [day(5)]: "closed",
    [day(6)]: "blocked",
    [day(7)]: "external",
    [day(9)]: "booked",
    [day(10)]: "at_checkout",
    [day(11)]: "on_hold",
    [day(31)]: "too_far",
  });
  expect(body["bookable"]).toEqual({ first: day(3), last: day(30) });
  const shown = await app.request(`/api/artists/${act.slug}/availability?${range}`);
  const { items } = (await shown.json()) as { items: { night: string; state: string }[] };
  const publicStates: Record<string, string> = {
    free: "free",
    on_hold: "on_hold",
    at_checkout: "on_hold",
    booked: "taken",
    external: "taken",
  };
  expect(items).toEqual([...states].map(([night, state]) => ({ night, state: publicStates[state] ?? "closed" })));
});
