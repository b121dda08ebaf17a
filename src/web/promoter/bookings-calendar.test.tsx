import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../dashboard/test-providers.tsx";
import { BookingsCalendar } from "./bookings-calendar.tsx";

const server = vi.hoisted(() => ({
  bookings: { data: undefined as object | undefined, error: null as Error | null, refetch: vi.fn() },
  holds: { data: undefined as object | undefined, error: null as Error | null, refetch: vi.fn() },
}));
vi.mock("../lib/api/booking-lists.ts", () => ({ usePromoterMonth: () => ({ ...server.bookings, isFetching: false }) }));
vi.mock("../lib/api/promoter/holds.ts", () => ({ useOwnHolds: () => ({ ...server.holds, isFetching: false }) }));

const booking = (id: string, event_date: string, more: object = {}) => ({
  id,
  event_date,
  event_time: "20:30",
  artist: { name: `Artist ${id}` },
  promoter_name: "Jordan Ellis",
  venue_name: "The Waterworks",
  number: `SD-${id}`,
  duration: "2 hours",
  status: "deposit_paid",
  act_due: null,
  ...more,
});
const night = (day: string, more: object = {}) => ({
  night: day,
  rank: 2,
  state: "active",
  expires_at: new Date("2027-02-01T18:00"),
  challenge_ends_at: null,
  must_pay: false,
  being_booked: false,
  can: { book: false },
  ...more,
});

beforeEach(() => {
  vi.setSystemTime(new Date("2027-02-10T12:00:00"));
  for (const query of [server.bookings, server.holds]) Object.assign(query, { error: null, refetch: vi.fn() });
  server.bookings.data = {
    items: [
      booking("A", "2027-02-05", { status: "canceled" }),
      booking("B", "2027-02-13"),
      booking("C", "2027-02-13", { status: "initiated", act_due: { kind: "hold_ends", at: "2027-02-10T12:30:00Z" } }),
      booking("D", "2027-02-20", { status: "initiated" }),
    ],
  };
  server.holds.data = {
    items: [
      {
        id: "h1",
        artist: { name: "Velvet Hour" },
        nights: [
          night("2027-02-12", { expires_at: new Date("2027-02-11T18:00") }),
          night("2027-02-13", { being_booked: true }),
          night("2027-02-14", { rank: 1, challenge_ends_at: new Date("2027-02-11T09:30"), can: { book: true } }),
          night("2027-02-15", { rank: null, state: "released" }),
          night("2027-03-06"),
        ],
      },
    ],
  };
});

const open = () =>
  renderInMantine(<BookingsCalendar month={{ year: 2027, month: 2 }} action={({ id }) => <button>Pay {id}</button>} />);
const cell = (day: string) => screen.getByRole("gridcell", { name: new RegExp(`^\\w+ ${day} February 2027`) });
const linksOf = (day: string) =>
  within(cell(day))
    .queryAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

test("links bookings and open holds on their night and in the list, with status, rank and deadline", () => {
  open();
  expect([cell("13"), cell("20"), cell("12"), cell("15")].map(({ dataset }) => dataset["state"])).toEqual([
    "deposit_paid",
    "request",
    "hold",
    undefined,
  ]);
  expect(linksOf("13")).toEqual([
    ["Artist B 20:30", "/promoter/bookings/B"],
    ["Artist C At checkout", "/promoter/bookings/C"],
  ]);
  expect(linksOf("12")).toEqual([["Hold 2Velvet Houruntil Thu 11 Feb, 18:00", "/promoter/holds#h1"]]);
  expect(linksOf("14")).toEqual([["Hold 1Velvet Hourpay by Thu 11 Feb, 09:30", "/promoter/holds#h1"]]);
  const rows = within(screen.getByRole("region", { name: "February, as a list" })).getAllByRole("listitem");
  expect(rows.map((row) => within(row).getByRole("link").textContent)).toEqual([
    "Artist A, The Waterworks",
    "Velvet Hour",
    "Artist B, The Waterworks",
    "Artist C, The Waterworks",
    "Velvet Hour",
    "Artist D, The Waterworks",
  ]);
  expect(within(rows[5] as HTMLElement).getByRole("button", { name: "Pay D" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "View holds" }).getAttribute("href")).toBe("/promoter/holds");
});

test("links free nights from today on to the search for artists, by mouse and by keyboard", async () => {
  open();
  const search = (date: string) => ["Find artists", `/?night=${date}#browse`];
  expect([linksOf("9"), linksOf("10")]).toEqual([[], [search("2027-02-10")]]);
  expect([linksOf("12"), linksOf("20")].flat().some(([text]) => text === "Find artists")).toBe(false);
  // A canceled booking frees its night, but this night has passed.
  expect(linksOf("5")).toEqual([["Canceled, Artist A", "/promoter/bookings/A"]]);
  const link = screen.getByRole("link", { name: "Find artists for this night, Wednesday 24 February" });
  const onClick = vi.fn((event: Event) => event.preventDefault());
  link.addEventListener("click", onClick);
  fireEvent.keyDown(cell("24"), { key: "Enter" });
  await waitFor(() => expect(onClick).toHaveBeenCalledOnce());
});

test("shows the days while loading, and only Retry of the failed part if loading fails", () => {
  server.holds.data = undefined;
  const loading = open();
  expect(screen.getByRole("status").textContent).toBe("Loading the calendar");
  expect(screen.queryByRole("grid")).toBeNull();
  loading.unmount();
  server.holds.error = apiError("unavailable", "The database cannot be reached.", 503);
  open();
  press("Retry");
  expect([server.holds.refetch, server.bookings.refetch].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  expect(screen.queryByRole("region", { name: /as a list/ })).toBeNull();
});
