import { expect, test, vi } from "vitest";
import type { SearchHits } from "#reports/search/search.api.ts";
import { bestOf, groupsFor, markedParts } from "./palette-items.ts";

const artist = { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" };
const hits: SearchHits = {
  bookings: [
    {
      id: "b1",
      number: "SD-7KQ4MN",
      event_date: "2027-02-13",
      promoter_name: "Hannah Whitt",
      venue_name: "The Dock",
      status: "contract_sent",
      artist,
    },
  ],
  artists: [{ ...artist, is_active: true, is_public: true }],
  users: [{ id: "p1", name: "Elecia Moore", email: "elecia@moore.example", role: "promoter" }],
};
const screens = [
  { label: "Overview", to: "/admin" },
  { label: "Bookings", to: "/admin/bookings" },
];
const actions = [{ label: "Sign Out", run: vi.fn() }];
const offer = { text: "", role: "admin", screens, actions, hits: undefined } as const;
const outline = (given: Partial<Parameters<typeof groupsFor>[0]>) =>
  groupsFor({ ...offer, ...given }).map(({ title, items }) => [title, ...items.map(({ label }) => label)]);

test("offers screens and actions without a text", () => {
  expect(outline({})).toEqual([
    ["Screens", "Overview", "Bookings"],
    ["Actions", "Sign Out"],
  ]);
});

test("lists the open booking's actions first, and finds them by their words", () => {
  const here = [{ id: "here-pay", label: "Pay Deposit", to: "/pay/b1/deposit" }];
  expect(outline({ here })[0]).toEqual(["This booking", "Pay Deposit"]);
  expect(outline({ here, text: "deposit" })[0]).toEqual(["This booking", "Pay Deposit"]);
  expect(outline({ here, text: "sign" })).toEqual(outline({ text: "sign" }));
});

test("retains the order of the groups, and offers the same search in the lists last", () => {
  expect(outline({ text: "elec", hits })).toEqual([
    ["Bookings", "Electric Dreams, Sat 13 Feb 2027"],
    ["Artists", "Electric Dreams"],
    ["Users", "Elecia Moore"],
    ["Lists", "Search in Bookings for “elec”"],
  ]);
});

test("links every role to its own booking page", () => {
  const addressFor = (role: "admin" | "artist" | "promoter") => {
    const item = groupsFor({ ...offer, role, text: "elec", hits }).find(({ title }) => title === "Bookings")?.items[0];
    return item && "to" in item ? item.to : undefined;
  };
  expect(addressFor("admin")).toBe("/admin/bookings/b1");
  expect(addressFor("artist")).toBe("/artist/bookings/b1");
  expect(addressFor("promoter")).toBe("/promoter/bookings/b1");
});

test("names a booking after the other party, and selects it before the search in a list", () => {
  const artistGroups = groupsFor({
    ...offer,
    role: "artist",
    text: "hannah",
    hits: { ...hits, artists: [], users: [] },
  });
  expect(artistGroups[0]?.items[0]).toMatchObject({
    label: "Hannah Whitt, Sat 13 Feb 2027",
    detail: "SD-7KQ4MN, The Dock",
  });
  expect(bestOf(artistGroups, "hannah")).toBe("booking-b1");
  expect(bestOf(groupsFor({ ...offer, text: "hannah", hits }), "hannah")).toBe("booking-b1");
});

test.each([
  ["", "screen-/admin"],
  ["7kq4mn", "booking-b1"],
  ["SD-7KQ4MN", "booking-b1"],
  ["7kq", "booking-b1"],
  ["q4m", "booking-b1"],
  ["SD-7KQ", "booking-b1"],
  ["book", "screen-/admin/bookings"],
  ["elecia", "person-p1"],
  ["sign", "act-Sign Out"],
])("returns for %s the best hit %s", (text, id) => {
  expect(bestOf(groupsFor({ ...offer, text, hits: text ? hits : undefined }), text)).toBe(id);
});

test.each([
  [{}, "/artist/electric-dreams", "Electronic, Austin, Texas"],
  [{ is_public: false }, "/admin/bookings?search=Electric+Dreams", "Electronic, Austin, Texas, hidden"],
  [{ is_active: false }, "/admin/bookings?search=Electric+Dreams", "Electronic, Austin, Texas, inactive"],
])("links an artist with %j to %s, because only a shown one has a page", (state, to, detail) => {
  const artists = [{ ...artist, is_active: true, is_public: true, ...state }];
  const groups = groupsFor({ ...offer, text: "elec", hits: { ...hits, artists } });
  expect(groups.find(({ title }) => title === "Artists")?.items[0]).toMatchObject({ to, detail });
});

test("marks the matching part of a label", () => {
  expect(markedParts("Electric Dreams", "TRIC")).toEqual(["Elec", "tric", " Dreams"]);
  expect(markedParts("Overview", "elec")).toEqual(["Overview", "", ""]);
});
