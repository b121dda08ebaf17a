import { afterAll, beforeAll, expect, test } from "vitest";
import { peopleOf } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promotersOf } from "#test/harness/calendars/holds.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2026-11-24T18:00:00Z") });
});
afterAll(() => app.close());

/** Open on Fridays and Saturdays. 8 January 2027 is a Friday. */
const [friday, saturday, sunday, monday] = ["2027-01-08", "2027-01-09", "2027-01-10", "2027-01-11"] as const;
const nights = [friday, saturday, sunday, monday];
type Items = { items: { slug: string; night: string; state: string; can: unknown }[] };

test("applies the artist's opened and closed nights at every entry point, before the weekly pattern", async () => {
  const { act, owner } = await artistWithHolds(app, { openNights: ["fri", "sat"] });
  const [promoter] = await promotersOf(app, 1);
  if (!promoter) throw new Error("no promoter");
  const set = async (changed: string[], open: boolean) => {
    const body = { nights: changed, open };
    const headers = await app.signIn(owner.user);
    const response = await app.request("/api/artist/night-exceptions", { method: "PUT", headers, body });
    expect(response.status, await response.clone().text()).toBe(200);
  };
  await set([sunday, friday], true);
  await set([saturday, monday], false);

  const open = async (accepts: (night: string) => Promise<boolean>) => {
    const found: string[] = [];
    for (const night of nights) if (await accepts(night)) found.push(night);
    return found;
  };
  const read = async (address: string) => (await (await app.request(address)).json()) as Items;
  const has = ({ items }: Items) => items.some(({ slug }) => slug === act.slug);
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
  const { act, owner } = await artistWithHolds(app, { openNights: [] });
  const headers = await app.signIn(owner.user);
  const put = async (body: object) => app.request("/api/artist/night-exceptions", { method: "PUT", headers, body });
  const rows = Array.from(
    { length: 60 },
    (_, at) => `2027-0${1 + Math.floor(at / 28)}-${String((at % 28) + 1).padStart(2, "0")}`,
  );
  await Promise.all([put({ nights: rows.slice(0, 20), open: true }), put({ nights: rows.slice(20), open: true })]);
  const { body } = await owner.at.json("/api/artist/calendar?from=2027-01-01&to=2027-02-28");
  expect((body["closed"] as string[]).filter((night) => rows.includes(night))).toEqual([]);
  const many = Array.from({ length: 400 }, (_, at) => new Date(Date.UTC(2028, 0, 1 + at)).toISOString().slice(0, 10));
  const refused = await put({ nights: many, open: true });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("at most 400 exceptions")]);
  expect((await put({ nights: ["2026-11-23"], open: true })).status).toBe(400);
  expect((await put({ nights: ["2027-02-30"], open: true })).status).toBe(400);
  const { person } = peopleOf(() => app);
  const stranger = await person("artist");
  const foreign = { method: "PUT", headers: await app.signIn(stranger.user), body: { nights: [friday], open: true } };
  expect((await app.request("/api/artist/night-exceptions", foreign)).status).toBe(404);
  expect(act.user_id).toBe(owner.user.id);
});
