import { expect, test } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { addressOf, filtersOf, hasFilters } from "./browse-query.ts";
import { readBrowse } from "./read-browse.ts";

const noNight = { night: undefined, town: "", kind: undefined };
const read = (query: string) => readBrowse(new URLSearchParams(query));

test("writes the query to the address, and reads it back", () => {
  const query = read("search=night+ferry&genre=electronic&free=2027-02-13&price=500-1000&sort=price");
  expect(query).toEqual({
    search: "night ferry",
    genre: "electronic",
    free: "2027-02-13",
    price: "500-1000",
    sort: "price",
    cursor: undefined,
    ...noNight,
  });
  expect(readBrowse(new URL(paths.browse(addressOf(query)), "http://localhost").searchParams)).toEqual(query);
  expect(filtersOf(query)).toEqual({
    search: "night ferry",
    genre: "electronic",
    freeOn: "2027-02-13",
    minPrice: 50_000,
    maxPrice: 100_000,
  });
});

test("requests night, town and kind together, and none of them without a date", () => {
  const query = read("night=2027-02-13&town=Austin&kind=wedding");
  expect(filtersOf(query)).toMatchObject({ night: "2027-02-13", town: "Austin", kind: "wedding", available: true });
  expect(hasFilters(query)).toBe(true);
  expect(readBrowse(new URL(paths.browse(addressOf(query)), "http://localhost").searchParams)).toEqual(query);
  const undated = read("night=2027-02-31&town=Austin&kind=polka");
  expect(undated).toMatchObject({ night: undefined, town: "Austin", kind: undefined });
  expect(filtersOf(undated)).not.toHaveProperty("town");
  expect(read(`town=${"a".repeat(500)}`).town).toHaveLength(120);
});

test("omits invalid values", () => {
  const query = read("search=%00&genre=polka&free=2027-02-31&price=cheap&sort=best&cursor=");
  expect(query).toEqual({
    search: "",
    genre: undefined,
    free: undefined,
    price: undefined,
    sort: "booked",
    cursor: undefined,
    ...noNight,
  });
  expect(hasFilters(query)).toBe(false);
  expect(read(`search=${"a".repeat(1_000)}`).search).toHaveLength(200);
});

test("returns the plain list address for an empty query", () => {
  expect(paths.browse(addressOf(read("")))).toBe("/#browse");
});
