import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingStatusNames } from "#bookings/rules.ts";
import { savedFilters } from "#bookings/rules/list.rules.ts";
import { type browser, dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

type Item = { id: string; number: string; status: string };
type Page = {
  items: Item[];
  summary?: { counts: Record<string, number> } | null;
  total?: number;
};
type At = ReturnType<typeof browser>;

const artistName = "José Blue";
const promoterName = "Blue Ltd";

let app: TestApp;
const at = {} as Record<"artist" | "promoter" | "admin", At>;
const numbers: Record<string, string> = {};
beforeAll(async () => {
  app = await testApp();
  const { artist, person } = peopleOf(() => app);
  const [owner, promoter, admin] = [await person("artist"), await person("promoter"), await person("admin")];
  Object.assign(at, { artist: owner.at, promoter: promoter.at, admin: admin.at });
  const mine = await artist({ userId: owner.user.id, name: artistName });
  const own = { artist: mine, promoterUserId: promoter.user.id, promoterName };
  const made: [name: string, given: Parameters<TestApp["make"]["booking"]>[0]][] = [
    ...bookingStatusNames.map((status): (typeof made)[number] => [status, { ...own, status }]),
    ["percent", { ...own, venue: "100% Live, Austin" }],
    ["underscore", { ...own, venue: "The under_score, Dallas" }],
    ["quotes", { ...own, venue: `O'Brien's "Back\\Hall"` }],
    ["accent", { ...own, venue: "Café Olé, Austin" }],
    ["free", { ...own, fee: 0 }],
    ["otherPromoter", { artist: mine, promoterName: "Renée Ångström" }],
    ["otherArtist", { ...own, artist: await artist({ name: "Zoë O'Neil" }) }],
    ["others", {}],
  ];
  for (const [index, [name, given]] of made.entries()) {
    const eventDate = dayAhead(app, given?.status === "completed" ? -30 : 20 + 3 * index);
    numbers[name] = (await app.make.booking({ eventDate, ...given })).number;
  }
});
afterAll(() => app.close());

const searches = () => [
  "",
  "blue",
  "BLUE LTD",
  "jose",
  "José",
  "Jose\u0301",
  "renee",
  "Renée",
  "angstrom",
  "Zoe o'neil",
  "austin",
  "café",
  "100%",
  "%",
  "_",
  "under_score",
  "under  score",
  "\\",
  "'",
  '"back',
  numbers["free"] ?? "",
  (numbers["free"] ?? "").slice(3).toLowerCase(),
  "nothing like this",
];

async function screenOf(role: keyof typeof at, filters: Record<string, string>) {
  const query = new URLSearchParams({ ...filters, limit: "100" });
  const { status, body } = await at[role].json(`/api/${role}/bookings?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const { items, total, summary } = body as unknown as Page;
  const found = items.map(({ number }) => number).toSorted();
  return { found, counted: total ?? summary?.counts[filters["show"] || "all"] };
}

async function fileOf(role: keyof typeof at, filters: Record<string, string>) {
  const response = await at[role].call(`/api/${role}/bookings.csv?${new URLSearchParams(filters)}`);
  expect(response.status).toBe(200);
  const text = await response.text();
  return [...text.matchAll(/^SD-\w{6}/gm)].map(([number]) => number).toSorted();
}

describe.each(["artist", "promoter", "admin"] as const)("the bookings of the %s", (role) => {
  /** Returns the rows of a list and of its file, which must be equal, with their count. */
  const bothOf = async (filters: Record<string, string>) => {
    const { found, counted } = await screenOf(role, filters);
    const file = await fileOf(role, filters);
    return { list: { filters, rows: found, counted }, file: { filters, rows: file, counted: file.length } };
  };

  test("are the same in the list, its count and its file for each saved filter and search", async () => {
    const searched = searches().map((search) => ({ search }));
    const filtered = savedFilters.flatMap((show) => ["", "blue", "austin"].map((search) => ({ show, search })));
    for (const filters of [...searched, ...filtered]) {
      const { list, file } = await bothOf(filters);
      expect(list).toEqual(file);
    }
  });

  test("are the same without a card provider", async () => {
    const { gateway } = app.services;
    const withPayments = await bothOf({ show: "needs_you" });
    Object.assign(app.services, { gateway: null });
    const { list, file } = await bothOf({ show: "needs_you" });
    Object.assign(app.services, { gateway });
    expect(list).toEqual(file);
    expect(list.counted !== withPayments.list.counted).toBe(role === "promoter");
  });

  test("are found in the search of all pages by the same words", async () => {
    for (const search of searches().filter((text) => text.length > 1)) {
      const { found } = await screenOf(role, { search });
      const { body } = await at[role].json(`/api/search?q=${encodeURIComponent(search)}`);
      const hits = (body["bookings"] as Item[]).map(({ number }) => number);
      expect(hits, search).toHaveLength(Math.min(5, found.length));
      for (const hit of hits) expect(found, search).toContain(hit);
    }
  });
});

test("a party's own name finds none of its bookings, and the other's finds all, with and without accents", async () => {
  const all = async (role: keyof typeof at, search: string) => (await screenOf(role, { search })).found;
  for (const search of ["jose", "José", "Jose\u0301"]) {
    expect(await all("artist", search)).toEqual([]);
    expect((await all("promoter", search)).length).toBe((await all("promoter", "")).length - 1);
  }
  expect(await all("promoter", promoterName)).toEqual([]);
  expect((await all("artist", promoterName)).length).toBe((await all("artist", "")).length - 1);
});

test("ignores accents in names of promoters and venues", async () => {
  const found = async (search: string) => (await screenOf("admin", { search })).found;
  const { accent, otherPromoter } = numbers;
  for (const search of ["cafe ole", "Café Ole\u0301", "CAFÉ OLÉ"])
    expect(await found(search), search).toEqual([accent]);
  for (const search of ["renee angstrom", "Rene\u0301e Ångström"])
    expect(await found(search), search).toEqual([otherPromoter]);
});
