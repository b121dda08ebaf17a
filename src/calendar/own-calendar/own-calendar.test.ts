import { sql } from "kysely";
import { expect, test } from "vitest";
import { addDays, describeDay } from "#platform/time/calendar.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, peopleOf, press } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, type Person, promoterOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const people = peopleOf(() => app);

type Items = { kind: string; id: string; night: string; conflict: boolean; title: string; venue: string | null }[];

/** Opens or closes nights of an artist. */
async function putNights({ user }: Person, nights: string[], open: boolean) {
  const headers = await app.signIn(user);
  return app.request("/api/artist/night-exceptions", { method: "PUT", headers, body: { nights, open } });
}

test("blocks a time beside a show, lists both, and reports a conflict with another calendar", async () => {
  const owner = await people.person("artist");
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
  for (const [from, to, message] of [
    [`${night}T20:00`, `${night}T20:00`, "The end must be after the start."],
    ["2025-01-02T06:00", "2025-01-04T06:00", "Friday 3 January 2025 has passed. Choose a later night."],
    [`${night}T06:00`, `${addDays(night, 367)}T06:00`, "You can block at most 366 nights at once. Check the years."],
    ["9999-12-31T06:00", "9999-12-31T23:00", "Choose a year from 2000 to 2099."],
    ["1000-01-01T00:00", `${night}T06:00`, "Choose a year from 2000 to 2099."],
  ] as const)
    expect(await post(from, to)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  const unread = { status: 400, body: { message: expect.stringContaining("Choose a year from 2000 to 2099.") } };
  for (const day of ["9999-12-31", "1000-01-01"])
    expect(await owner.at.json(`/api/artist/calendar?from=${day}&to=${day}`)).toMatchObject(unread);
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
  expect((await read()).flatMap(({ kind, venue }) => (venue ? [kind] : []))).toEqual(["show", "request"]);
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

  const stranger = await people.person("artist");
  await app.make.artist({ userId: stranger.user.id });
  const id = String(blocked.body["id"]);
  const remove = async ({ user }: typeof owner) =>
    (await app.request(`/api/artist/blocked-times/${id}`, { method: "DELETE", headers: await app.signIn(user) }))
      .status;
  expect(await remove(stranger)).toBe(404);
  expect(await remove(owner)).toBe(200);
  expect((await read()).filter((one) => one.id === id)).toEqual([]);
});

test("names the night whose show or checkout a blocked time overlaps, and until when it needs the time", async () => {
  const { act, owner } = await artistWithHolds(app, { bufferBefore: 720, bufferAfter: 60 });
  const [friday, saturday, sunday] = [dayAhead(app, 60), dayAhead(app, 61), dayAhead(app, 62)];
  const late = { artistId: act.slug, eventDate: saturday, eventTime: "03:30", duration: "2 hours 30 minutes" };
  const guest = browser(app);
  const { body } = await guest.requestBooking(late);
  const checkout = await guest.checkout(body);
  await app.make.booking({ artist: act, eventDate: saturday, eventTime: "20:00", status: "deposit_paid" });
  const block = async (starts_at: string, ends_at: string) =>
    (await owner.at.json("/api/artist/blocked-times", { starts_at, ends_at })).body;
  const until = `It needs the time until 07:00, with travel and set-up. Begin after that.`;
  expect(await block(`${saturday}T06:00`, `${saturday}T07:30`)).toMatchObject({
    message: `${describeDay(friday)} is being booked: a promoter is at the checkout. ${until}`,
    data: { night: friday },
  });
  await press(app, checkout.body["checkout_url"], "pay");
  expect(await block(`${saturday}T06:00`, `${saturday}T07:30`)).toMatchObject({
    message: `${describeDay(friday)} has a show. ${until}`,
  });
  expect(await block(`${saturday}T21:00`, `${sunday}T06:00`)).toMatchObject({
    message: `${describeDay(saturday)} has a show. Leave this night out.`,
  });
  await app.make.booking({ artist: act, eventDate: dayAhead(app, 64), eventTime: "12:00", status: "deposit_paid" });
  expect(await block(`${dayAhead(app, 63)}T22:00`, `${dayAhead(app, 64)}T02:00`)).toMatchObject({
    message: `${describeDay(dayAhead(app, 64))} has a show. It needs the time from 00:00, with travel and set-up. End before that.`,
  });
  expect(await block(`${dayAhead(app, 64)}T01:00`, `${dayAhead(app, 64)}T02:00`)).toMatchObject({
    message: expect.stringContaining("from 00:00, with travel and set-up. Choose another time."),
  });
  await app.make.booking({ artist: act, eventDate: dayAhead(app, 70), eventTime: "08:00", status: "deposit_paid" });
  const before = `from 20:00 on ${describeDay(dayAhead(app, 69))}, with travel and set-up. End before that.`;
  expect(await block(`${dayAhead(app, 66)}T06:00`, `${dayAhead(app, 70)}T00:00`)).toMatchObject({
    message: expect.stringContaining(before),
  });
});

test("shows a night as on hold whose set-up time needs the next night on hold, as the public availability has it", async () => {
  const { act, owner } = await artistWithHolds(app, { bufferAfter: 720 });
  const [before, night] = [dayAhead(app, 39), dayAhead(app, 40)];
  await holdsBy(await promoterOf(app)).place(act.slug, [night], { eventTime: "10:00" });
  const range = `from=${before}&to=${before}`;
  const { body } = await owner.at.json(`/api/artist/calendar?${range}`);
  expect(body).toMatchObject({ items: [], nights: [{ night: before, state: "on_hold" }] });
  const shown = await app.request(`/api/artists/${act.slug}/availability?${range}`);
  expect(await shown.json()).toEqual({ items: [{ night: before, state: "on_hold" }] });
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
  expect((await putNights(owner, [day(5)], false)).status).toBe(200);
  await put(day(6), [18, 23], "blocked");
  await put(day(7), [19, 22], "external");
  // Does not overlap a show in the evening.
  await put(day(8), [9, 11], "external");
  await app.make.booking({ artist: act, eventDate: day(9), status: "deposit_paid" });
  const visitor = browser(app);
  const { body: request } = await visitor.requestBooking({ artistId: act.slug, eventDate: day(10) });
  expect((await visitor.checkout(request)).status).toBe(200);
  await holdsBy(await promoterOf(app)).placed(act.slug, [day(11)]);
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

/** Open on Fridays and Saturdays. 8 January 2027 is a Friday. */
const [friday, saturday, sunday, monday] = ["2027-01-08", "2027-01-09", "2027-01-10", "2027-01-11"] as const;
const nights = [friday, saturday, sunday, monday];
type Answer = { items: { slug: string; night: string; state: string }[] };

test("applies the artist's opened and closed nights at every entry point, before the weekly pattern", async () => {
  const { act, owner } = await artistWithHolds(app, { openNights: ["fri", "sat"] });
  const promoter = await promoterOf(app);
  expect((await putNights(owner, [sunday, friday], true)).status).toBe(200);
  expect((await putNights(owner, [saturday, monday], false)).status).toBe(200);

  const open = async (accepts: (night: string) => Promise<boolean>) => {
    const found: string[] = [];
    for (const night of nights) if (await accepts(night)) found.push(night);
    return found;
  };
  const read = async (address: string) => (await (await app.request(address)).json()) as Answer;
  const has = ({ items }: Answer) => items.some(({ slug }) => slug === act.slug);
  const wanted = { artistId: act.slug, eventTime: "20:30", duration: "2 hours" };
  const answers = {
    profile: await open(async (eventDate) => {
      const { taken } = (await (await app.request(`/api/artists/${act.slug}`)).json()) as { taken: { date: string }[] };
      return !taken.some(({ date }) => date === eventDate);
    }),
    availability: (await read(`/api/artists/${act.slug}/availability?from=${friday}&to=${monday}`)).items
      .filter(({ state }) => state === "free")
      .map(({ night }) => night),
    search: await open(async (night) => has(await read(`/api/artists?limit=100&freeOn=${night}`))),
    nightSearch: await open(async (night) => has(await read(`/api/artists?limit=100&available=1&night=${night}`))),
    form: await open(async (eventDate) => {
      const { body } = await promoter.at.check({ ...wanted, eventDate });
      return (body["date"] as { state: string }).state === "free";
    }),
    request: await open(
      async (eventDate) => (await promoter.at.requestBooking({ ...wanted, eventDate })).status === 201,
    ),
    hold: await open(async (night) => (await holdsBy(promoter).place(act.slug, [night])).status === 201),
  };
  for (const [entry, found] of Object.entries(answers)) expect(found, entry).toEqual([friday, sunday]);

  const own = (await owner.at.json(`/api/artist/calendar?from=${friday}&to=${monday}`)).body;
  expect([own["closed"], own["exceptions"], own["time_zone"]]).toEqual([
    [saturday, monday],
    [saturday, sunday],
    "America/Chicago",
  ]);
  // A set at 01:00 on Monday belongs to Sunday night, which is open. At 01:00 on Sunday it belongs to the closed Saturday.
  const late = async (eventDate: string) =>
    (await promoter.at.check({ ...wanted, eventDate, eventTime: "01:00" })).body;
  expect([await late(monday), await late(sunday)]).toMatchObject([
    { date: { state: "free" } },
    { date: { state: "closed" } },
  ]);
});

test("lets only an artist open nights, stores at most 400 exceptions, and retains two parallel changes", async () => {
  const { owner } = await artistWithHolds(app, { openNights: [] });
  const open = (changed: string[]) => putNights(owner, changed, true);
  const rows = Array.from(
    { length: 60 },
    (_, at) => `2027-0${1 + Math.floor(at / 28)}-${String((at % 28) + 1).padStart(2, "0")}`,
  );
  await Promise.all([open(rows.slice(0, 20)), open(rows.slice(20))]);
  const { body } = await owner.at.json("/api/artist/calendar?from=2027-01-01&to=2027-02-28");
  expect((body["closed"] as string[]).filter((night) => rows.includes(night))).toEqual([]);
  const many = Array.from({ length: 400 }, (_, at) => new Date(Date.UTC(2028, 0, 1 + at)).toISOString().slice(0, 10));
  const refused = await open(many);
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("at most 400 exceptions")]);
  for (const invalid of ["2026-11-23", "2027-02-30"]) expect((await open([invalid])).status).toBe(400);
  expect((await putNights(await people.person("artist"), [friday], true)).status).toBe(404);
});
