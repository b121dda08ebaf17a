import { fireEvent, render, screen, within, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useSearchParams } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { monthOfAddress } from "../../../booking/calendar/bookings-month.tsx";
import { localToday } from "../../../lib/format/dates.ts";
import { currentToasts } from "../../../lib/toasts.ts";
import { openAddHold } from "../add-hold.tsx";
import { nightsToBlock } from "../block-nights.tsx";
import { BookingsCalendar } from "./bookings-calendar.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({
  answer: { data: undefined, error: null } as Answer,
  retry: vi.fn(),
  busy: [] as object[],
  holds: [] as object[],
  closed: [] as string[],
  exceptions: [] as string[],
  nights: [] as { night: string; state: string }[],
  longDrives: new Set<string>(),
  openNights: vi.fn(),
  block: vi.fn(),
  unblock: vi.fn(),
}));
vi.mock("../../../lib/api/booking-lists.ts", () => ({
  useArtistMonth: () => ({ ...server.answer, isFetching: false, isPlaceholderData: false, refetch: server.retry }),
}));

vi.mock("../add-hold.tsx", () => ({ openAddHold: vi.fn() }));
vi.mock("../../../lib/api/artist/calendar.ts", () => ({
  useBusyTimes: () => ({
    data: {
      busy: server.busy,
      holds: server.holds,
      closed: server.closed,
      exceptions: server.exceptions,
      nights: server.nights,
      night_ends_at: "06:00",
      time_zone: "UTC",
    },
    error: null,
    isFetching: false,
  }),
  useLongDrives: () => server.longDrives,
  useHoldsAndRequests: () => ({ data: [] }),
  useOpenNights: () => ({ mutateAsync: server.openNights }),
  useBlockTime: () => ({ mutateAsync: server.block }),
  useUnblockTime: () => ({ mutateAsync: server.unblock, isPending: false }),
}));

const booking = (id: string, event_date: string, more: object = {}) => ({
  id,
  event_date,
  event_time: "20:30",
  promoter_name: `Promoter ${id}`,
  venue_name: "The Waterworks",
  number: `SD-${id}`,
  duration: "2 hours",
  status: "deposit_paid",
  hold: null,
  ...more,
});
const items = [
  booking("A", "2027-02-05", { status: "canceled" }),
  booking("B", "2027-02-13"),
  booking("C", "2027-02-13", { status: "initiated", hold: { expires_at: "2026-11-21T19:36:00Z" } }),
];

function Page() {
  const [query] = useSearchParams();
  return (
    <BookingsCalendar
      month={monthOfAddress(query.get("month"), localToday())}
      today={localToday()}
      action={({ id }) => <button type="button">Act on {id}</button>}
    />
  );
}

function open(address = "/artist/bookings?view=month&month=2027-02") {
  const element = <Page />;
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
  render(<RouterProvider router={router} />);
  return router;
}
const slips = () => within(screen.getByRole("grid")).getAllByRole("link");

beforeEach(() => {
  // The shows of this file are in 2027.
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
  server.answer = { data: { items }, error: null };
  server.busy = [];
  server.holds = [];
  Object.assign(server, { closed: [], exceptions: [], nights: [], longDrives: new Set() });
});

test("links every booking on its day and in the list below to its page", () => {
  open();
  expect(slips().map((slip) => slip.getAttribute("href"))).toEqual(
    ["A", "B", "C"].map((id) => `/artist/bookings/${id}`),
  );
  expect(slips()[2]?.textContent).toContain("At checkout");
  const agenda = screen.getByRole("region", { name: "February, as a list" });
  expect(within(agenda).getAllByRole("listitem")).toHaveLength(3);
  expect(within(agenda).getByRole("button", { name: "Act on C" })).toBeTruthy();
});

test("describes a day's shows, moves by arrow keys and enters a day with Enter", () => {
  const router = open();
  const single = screen.getByRole("gridcell", {
    name: /^Friday 5 February 2027, 1 booking: Canceled,\s*Canceled,\s*Promoter A/,
  });
  const two = screen.getByRole("gridcell", {
    name: /^Saturday 13 February 2027, 2 bookings: Deposit paid, At checkout,\s*Promoter B\s*20:30/,
  });
  single.focus();
  for (const key of ["ArrowDown", "ArrowRight"]) fireEvent.keyDown(document.activeElement ?? single, { key });
  expect(document.activeElement).toBe(two);
  fireEvent.keyDown(two, { key: "Enter" });
  expect(document.activeElement).toBe(slips()[1]);
  fireEvent.keyDown(single, { key: "Enter" });
  expect(router.state.location.pathname).toBe("/artist/bookings/A");
});

test("moves from a show to the same day of the next month with Page Down, and retains the view in the address", async () => {
  const router = open();
  expect(screen.getByRole("link", { name: "Previous month" }).getAttribute("href")).toContain("month=2027-01");
  const [first] = slips();
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "PageDown" });
  await waitFor(() => expect(router.state.location.search).toBe("?view=month&month=2027-03"));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-date")).toBe("2027-03-05"));
});

const time = (id: string, kind: string, night: string, last_night: string, title: string) => ({
  id,
  kind,
  night,
  last_night,
  title,
  starts_at: new Date(`${night}T12:00:00Z`),
  ends_at: new Date(`${last_night}T20:00:00Z`),
  time_zone: "UTC",
  booking_id: null,
  conflict: false,
});

test("shows blocked nights and entries of other calendars on each day, and unblocks with undo", async () => {
  server.busy = [
    time("x", "blocked", "2027-02-09", "2027-02-10", "Studio"),
    time("y", "external", "2027-02-13", "2027-02-13", "Busy"),
  ];
  server.unblock.mockResolvedValue({});
  open();
  for (const day of ["Tuesday 9", "Wednesday 10"])
    expect(screen.getByRole("gridcell", { name: new RegExp(`^${day} February 2027, blocked`) })).toBeTruthy();
  expect(screen.getByRole("gridcell", { name: /^Saturday 13 .*2 bookings.*busy in another calendar/ })).toBeTruthy();
  const rows = within(screen.getByRole("region", { name: "February, as a list" })).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent).at(1)).toMatch(/StudioTue 9 Feb 2027 to Wed 10 Feb 2027, 2 nights/);
  fireEvent.click(screen.getByRole("button", { name: "Unblock" }));
  await waitFor(() => expect(currentToasts()).toHaveLength(1));
  expect(server.unblock).toHaveBeenCalledWith({ id: "x" });
  server.block.mockResolvedValue({ id: "z" });
  currentToasts()[0]?.action?.run();
  expect(server.block).toHaveBeenCalledWith({
    starts_at: "2027-02-09T12:00",
    ends_at: "2027-02-10T20:00",
    note: "Studio",
  });
});

test("blocks nights from the end of the previous night to the end of the last one", () => {
  expect(nightsToBlock({ from: "2027-02-28", to: "2027-03-01", note: "" }, "06:00")).toEqual({
    starts_at: "2027-02-28T06:00",
    ends_at: "2027-03-02T06:00",
    note: "",
  });
});

test("shows an empty state for an empty month, and only Retry if loading fails", () => {
  server.answer = { data: { items: [] }, error: null };
  open();
  expect(screen.getByText("No shows, requests or holds this month.")).toBeTruthy();
  server.answer = { data: undefined, error: new Error("away") };
  open();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(server.retry).toHaveBeenCalledOnce();
});

test("uses the current month for an invalid address", () => {
  expect(monthOfAddress("2027-02", "2026-11-29")).toMatchObject({ year: 2027, month: 2 });
  for (const text of [null, "", "2027-13", "x"])
    expect(monthOfAddress(text, "2026-11-29")).toMatchObject({ year: 2026, month: 11 });
});

test("shows the holds of a night with their rank in month and list, and links to the night", () => {
  server.answer = { data: { items: [] }, error: null };
  const held = (rank: number, title: string) => ({
    kind: "hold",
    id: `hold-${rank}`,
    title,
    night: "2027-02-12",
    last_night: "2027-02-12",
    hold: { id: `id-${rank}`, rank, challenged: rank === 1 },
  });
  server.holds = [held(1, "Tom Brandt"), held(2, "Hannah Whitt"), held(3, "Ellen Marsh")];
  const router = open();
  expect(screen.getByRole("gridcell", { name: /Friday 12 February 2027, 3 holds/ })).toBeTruthy();
  expect(slips().map(({ textContent }) => textContent)).toEqual([
    "Hold 1Tom Brandtmust pay",
    "Hold 2Hannah Whitton hold",
  ]);
  expect(screen.getByText("1 more hold")).toBeTruthy();
  const rows = within(screen.getByRole("region", { name: /as a list/ })).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toHaveLength(3);
  fireEvent.click(within(rows[2] as HTMLElement).getByRole("link", { name: "Ellen Marsh" }));
  expect(router.state.location.search).toBe("?view=month&month=2027-02&night=2027-02-12");
});

test("labels a night that differs from its weekday, and a show too far from its neighbor", () => {
  Object.assign(server, {
    closed: ["2027-02-09"],
    exceptions: ["2027-02-09", "2027-02-10"],
    longDrives: new Set(["B"]),
  });
  open();
  expect(screen.getByRole("gridcell", { name: /^Tuesday 9 February 2027, no bookings, closed/ }).dataset["state"]).toBe(
    "closed",
  );
  expect(
    screen.getByRole("gridcell", { name: /^Wednesday 10 February 2027, no bookings, open this time/ }),
  ).toBeTruthy();
  expect(slips().map(({ textContent }) => textContent?.includes("Long drive"))).toEqual([false, true, false]);
});

test("blocks and closes selected nights together, and announces and clears the selection", () => {
  vi.setSystemTime(new Date("2027-01-15T12:00:00"));
  open();
  const night = (day: number) => screen.getByRole("gridcell", { name: new RegExp(`^\\w+ ${day} February 2027`) });
  fireEvent.click(night(23));
  fireEvent.click(night(25), { shiftKey: true });
  expect(screen.getByRole("status").textContent).toBe(
    "3 nights selected: Tue 23 Feb to Thu 25 Feb. B blocks, Escape ends.",
  );
  const bar = within(screen.getByRole("region", { name: "Chosen nights" }));
  expect(bar.getAllByRole("button").map((one) => one.textContent?.trim() || one.getAttribute("aria-label"))).toEqual([
    "Block 3 nights",
    "Close to requests",
    "Clear selection",
  ]);
  fireEvent.click(bar.getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("region", { name: "Chosen nights" })).toBeNull();
  vi.useRealTimers();
});

test("offers to open the closed nights of a selection and to close its other nights", () => {
  vi.setSystemTime(new Date("2027-01-15T12:00:00"));
  server.closed = ["2027-02-24"];
  open();
  const night = (day: number) => screen.getByRole("gridcell", { name: new RegExp(`^\\w+ ${day} February 2027`) });
  const choose = (name: string) => {
    fireEvent.click(night(23));
    fireEvent.click(night(25), { shiftKey: true });
    fireEvent.click(screen.getByRole("button", { name }));
  };
  choose("Open to requests");
  expect(server.openNights).toHaveBeenLastCalledWith({ nights: ["2027-02-24"], open: true });
  choose("Close to requests");
  expect(server.openNights).toHaveBeenLastCalledWith({ nights: ["2027-02-23", "2027-02-25"], open: false });
  vi.useRealTimers();
});

test("offers a hold only for a night that takes one, and suggests the first such night", () => {
  vi.setSystemTime(new Date("2027-02-01T12:00:00"));
  const states = { 9: "too_soon", 10: "booked", 11: "on_hold", 12: "free" };
  server.nights = Object.entries(states).map(([day, state]) => ({ night: `2027-02-${day.padStart(2, "0")}`, state }));
  open();
  fireEvent.click(screen.getByRole("button", { name: "Add hold" }));
  expect(openAddHold).toHaveBeenLastCalledWith({ night: "2027-02-11", timeZone: "UTC" });
  const offered = (day: number) => {
    fireEvent.click(screen.getByRole("gridcell", { name: new RegExp(`^\\w+ ${day} February 2027`) }));
    return within(screen.getByRole("region", { name: "Chosen nights" }))
      .getAllByRole("button")
      .map(({ textContent }) => textContent?.trim());
  };
  expect([9, 10, 11, 12].map(offered)).toEqual([
    ["Block night", "Close to requests", ""],
    ["Close to requests", ""],
    ["Block night", "Close to requests", "Add hold", ""],
    ["Block night", "Close to requests", "Add hold", ""],
  ]);
  vi.useRealTimers();
});

test("colors a night by the kind of its entry, explains the colors that occur, and gives a canceled one a line only", () => {
  server.answer = { data: { items }, error: null };
  open();
  expect(screen.getByRole("gridcell", { name: /^Saturday 13 February 2027/ }).dataset["state"]).toBe("deposit_paid");
  expect(screen.getByRole("gridcell", { name: /^Friday 5 February 2027/ }).dataset["state"]).toBeUndefined();
  const legend = within(screen.getByRole("list", { name: "Colors" }));
  expect(legend.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["On hold", "Deposit paid"]);
});
