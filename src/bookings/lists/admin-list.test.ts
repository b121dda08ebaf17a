import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const ids: Record<string, string> = {};
const admin = browser(app, await app.signIn(await app.make.user({ role: "admin" })));
const make = async (name: string, given: Parameters<TestApp["make"]["booking"]>[0]) => {
  ids[name] = (await app.make.booking({ promoterName: `Promoter ${name}`, ...given })).id;
};
const at = (hours: number) => new Date(app.clock.now().getTime() - hours * hourMs);
await make("old", { eventDate: dayAhead(app, 90), fee: 300_000, createdAt: at(3), status: "deposit_paid" });
await make("middle", { eventDate: dayAhead(app, 30), fee: 100_000, createdAt: at(2) });
await make("new", { eventDate: dayAhead(app, 60), fee: 200_000, createdAt: at(1), venue: "The Waterworks" });

type Page = {
  items: { id: string }[];
  total: number;
  nextCursor: string | null;
  by_status: { status: string; count: number }[];
};
const list = async (query = "") => {
  const { status, body } = await admin.json(`/api/admin/bookings${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const page = body as unknown as Page;
  const nameOf = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  return { ...page, names: page.items.map((one) => nameOf[one.id]) };
};

test.each([
  ["", ["new", "middle", "old"]],
  ["?sort=event", ["middle", "new", "old"]],
  ["?sort=-event", ["old", "new", "middle"]],
  ["?sort=amount", ["middle", "new", "old"]],
  ["?sort=-amount", ["old", "new", "middle"]],
])("listAllBookings(%s) returns the bookings in its order, on every page", async (query, names) => {
  expect((await list(query)).names).toEqual(names);
  const join = query ? "&" : "?";
  const paged = [];
  for (const page of [1, 2, 3, 4]) paged.push(...(await list(`${query}${join}limit=1&page=${page}`)).names);
  expect(paged).toEqual(names);
});

test("listAllBookings counts each status with the search applied", async () => {
  const all = await list();
  expect([all.total, all.by_status]).toEqual([
    3,
    [
      { status: "deposit_paid", count: 1 },
      { status: "initiated", count: 2 },
    ],
  ]);
  expect((await list("?status=deposit_paid")).total).toBe(1);
  const found = await list("?search=waterworks&status=initiated");
  expect([found.names.includes("new"), found.total]).toEqual([true, found.items.length]);
});

test("listAllBookings searches artist, promoter, venue and number, regardless of case and of accents in the artist, also of an inactive one", async () => {
  const artist = await app.make.artist({ name: "Höllow Comet" });
  const booking = await app.make.booking({ artist, eventDate: dayAhead(app, 44) });
  await app.database.db.updateTable("artists").set({ is_active: false }).where("id", "=", artist.id).execute();
  const { number } = await bookingRow(app, booking.id);
  for (const text of ["HÖLLOW com", "hollow COM", number, number.slice(3).toLowerCase()])
    expect(
      (await list(`?search=${encodeURIComponent(text)}`)).items.map((one) => one.id),
      text,
    ).toEqual([booking.id]);
  expect((await list("?search=promoter%20OLD")).names).toEqual(["old"]);
  expect((await list("?search=promoter%25old")).names).toEqual([]);
});

test("listAllBookings refuses an unknown order or page", async () => {
  for (const query of ["?sort=colour", "?page=0", "?page=401"])
    expect((await admin.json(`/api/admin/bookings${query}`)).status).toBe(400);
});
