import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import type { OwnBookingsInput } from "../../lib/api/booking-lists.ts";
import { noPermissions } from "../test-booking.ts";
import { BookingList } from "./booking-list.tsx";
import { OwnBookings } from "./own-bookings.tsx";

const booking = (id: string, can: object = {}) => ({
  id,
  number: `SD-${id}`,
  status: "initiated",
  fee_cents: 150_000,
  deposit_cents: 0,
  currency: "usd",
  payments: [],
  artist: { slug: "one", name: "One", genre: "jazz", location: "Austin" },
  promoter_name: "Hannah",
  venue_name: "Armory Hall",
  event_date: "2027-05-01",
  event_time: "20:00",
  can: { ...noPermissions, ...can },
});
const rows = [booking("A", { pay: "deposit", cancel: true }), booking("B", { sign: true }), booking("C")];

const reload = vi.hoisted(() => vi.fn());
let failed: { data: undefined; error: Error } | undefined;
vi.mock("../../lib/api/booking-page.ts", () => ({
  useBooking: (id: string) => ({
    data: {
      id,
      viewer: "artist",
      promoter_name: "Hannah",
      artist: { slug: "one", name: "One", genre: "jazz", location: "Austin" },
      event_date: "2027-05-01",
      deadlines: [],
      guest_count: null,
      currency: "usd",
      money: { fee_cents: 0 },
    },
    isFetching: false,
    refetch: reload,
    ...failed,
  }),
  useRefreshBookings: () => () => undefined,
}));
vi.mock("../status/status-message.ts", async (original) => ({
  ...(await original<object>()),
  statusMessageFor: () => ({ title: "Now", text: "", tone: "" }),
}));
vi.mock("../../ui/status-badge.tsx", () => ({ StatusBadge: () => null }));
vi.mock("../cancellation/cancel-booking.tsx", () => ({
  cancelTitle: "Cancel this booking?",
  CancelForm: () => <p>What canceling costs</p>,
}));

const space = vi.hoisted(() => ({ wide: false }));
vi.mock("../../lib/browser/use-media-query.ts", () => ({ useMediaQuery: () => space.wide }));

const Here = () => <p data-testid="here">{useLocation().pathname + useLocation().search}</p>;
function draw(wide: boolean, bookings = rows) {
  space.wide = wide;
  renderInMantine(
    <>
      <Here />
      <BookingList
        caption="Bookings"
        bookings={bookings}
        pageOf={(id) => `/promoter/bookings/${id}`}
        viewer="promoter"
        exported="promoterBookings"
        sums={undefined}
      />
    </>,
  );
}
const rowLink = (id: string) => screen.getByRole("link", { name: new RegExp(`One\\s*SD-${id}`) });
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("moves by j and k and stops at the ends, and selects with x and a range with Shift and x", () => {
  draw(false);
  for (const [key, id] of [
    ["j", "A"],
    ["j", "B"],
    ["j", "C"],
    ["j", "C"],
    ["k", "B"],
  ] as const) {
    press(key);
    expect(document.activeElement).toBe(rowLink(id));
  }
  press("x");
  expect(screen.getByRole("status").textContent).toBe("1 selected, $1,500");
  press("j");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "X", shiftKey: true });
  expect(screen.getByRole("status").textContent).toBe("2 selected, $3,000");
  fireEvent.click(screen.getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByRole("status")).toBeNull();
});

test("names the box of each row, and leads from the last selected row to the actions", () => {
  draw(true);
  fireEvent.click(screen.getByRole("checkbox", { name: /^Select this row One\s*SD-B/ }));
  fireEvent.click(screen.getByRole("button", { name: "Go to the selection" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Export selected" }));
});

test("shows cents only in amounts that have them", () => {
  draw(true, [booking("A"), { ...booking("B"), fee_cents: 150_050 }]);
  const table = within(screen.getByRole("table"));
  expect(table.getAllByText(/^\$1,500/).map((one) => one.textContent)).toEqual(["$1,500", "$1,500.50"]);
});

test("disables single-key shortcuts if the user switched them off", () => {
  localStorage.setItem("single-keys", "off");
  draw(false);
  press("j");
  expect(document.activeElement).toBe(document.body);
});

test("opens the booking's page with Space where no panel fits", async () => {
  draw(false);
  press("j");
  press(" ");
  await waitFor(() => expect(screen.getByTestId("here").textContent).toBe("/promoter/bookings/A"));
});

test("opens the panel with Space, moves it with j, and returns the focus to the row on Escape or Space", async () => {
  draw(true);
  press("j");
  press(" ");
  const panel = await screen.findByRole("complementary", { name: "The chosen booking" });
  await waitFor(() => expect(document.activeElement).toBe(panel));
  const page = () => within(panel).getByRole("link", { name: "View booking" }).getAttribute("href");
  expect(page()).toBe("/promoter/bookings/A");
  press("j");
  expect(page()).toBe("/promoter/bookings/B");
  expect(document.activeElement).toBe(panel);
  press("Escape");
  expect(screen.queryByRole("complementary")).toBeNull();
  expect(document.activeElement).toBe(rowLink("B"));
  press(" ");
  const again = await screen.findByRole("complementary", { name: "The chosen booking" });
  await waitFor(() => expect(document.activeElement).toBe(again));
  press(" ");
  expect(screen.queryByRole("complementary")).toBeNull();
  expect(document.activeElement).toBe(rowLink("B"));
});

test("offers the viewer's actions in the row menu, and confirms before canceling", async () => {
  draw(false);
  const open = async (id: string) => {
    fireEvent.click(screen.getAllByRole("button", { name: `Actions: One, SD-${id}` })[0] as HTMLElement);
    return within(await screen.findByRole("menu"))
      .getAllByRole("menuitem")
      .map((one) => one.textContent);
  };
  expect(await open("B")).toEqual(["Sign Contract", "View bookingEnter", "Copy SD-B"]);
  fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(await open("A")).toEqual([
    "Pay Deposit (opens in a new tab)",
    "View bookingEnter",
    "Copy SD-A",
    "Cancel Booking…",
  ]);
  failed = { data: undefined, error: new Error("away") };
  onTestFinished(() => void (failed = undefined));
  fireEvent.click(screen.getByRole("menuitem", { name: "Cancel Booking…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel this booking?" }));
  dialog.getByText(/^The booking could not be loaded/);
  reload.mockImplementation(() => (failed = undefined));
  fireEvent.click(dialog.getByRole("button", { name: "Retry" }));
  fireEvent.click(dialog.getByRole("button", { name: "Close" }));
  await open("A");
  fireEvent.click(screen.getByRole("menuitem", { name: "Cancel Booking…" }));
  expect(await screen.findByText("What canceling costs")).toBeTruthy();
});

test("links to the other filters if a saved filter is empty, searches all bookings, and explains how to book if there are none", async () => {
  const counts = { all: 3, upcoming: 0, needs_you: 0, unpaid: 0, past: 3 };
  const list = {
    isPending: false,
    error: null,
    isFetching: false,
    isPlaceholderData: false,
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => undefined,
    refetch: () => undefined,
  };
  const requests: OwnBookingsInput[] = [];
  const drawOwn = (all: number) =>
    renderInMantine(
      <OwnBookings
        placeholder="Search"
        exported="promoterBookings"
        useBookings={(options) => {
          requests.push(options);
          return { query: list, bookings: [], summary: { counts: { ...counts, all }, sums: [] } };
        }}
        none={{ title: "No bookings yet", text: "Find an artist." }}
        pending={null}
      >
        {() => null}
      </OwnBookings>,
    );
  const { unmount } = drawOwn(3);
  expect(requests).toContainEqual({ search: "", show: "upcoming", sort: undefined });
  expect(screen.getByText("No upcoming bookings.")).toBeTruthy();
  const tabs = within(screen.getByRole("navigation", { name: "Saved filters" })).getAllByRole("link");
  expect(tabs.map((tab) => tab.textContent)).toEqual([
    "Upcoming0",
    "Needs you0",
    "Unpaid0",
    "Past and canceled3",
    "All3",
  ]);
  fireEvent.click(screen.getByRole("link", { name: "Show all 3 bookings" }));
  await waitFor(() => expect(requests).toContainEqual({ search: "", show: undefined, sort: undefined }));
  requests.length = 0;
  fireEvent.click(screen.getByRole("link", { name: /^Upcoming/ }));
  await waitFor(() => expect(requests).toContainEqual({ search: "", show: "upcoming", sort: undefined }));
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "museum" } });
  await waitFor(() => expect(requests).toContainEqual({ search: "museum", show: undefined, sort: undefined }));
  expect(requests.some(({ search, show }) => search !== "" && show !== undefined)).toBe(false);
  await waitFor(() => expect(screen.getByRole("link", { name: /^All/, current: "page" })).toBeTruthy());
  fireEvent.click(screen.getByRole("link", { name: /^Upcoming/ }));
  await waitFor(() => expect(requests.at(-1)).toEqual({ search: "museum", show: "upcoming", sort: undefined }));
  unmount();
  drawOwn(0);
  expect(screen.getByText("Find an artist.")).toBeTruthy();
  expect(screen.queryByRole("navigation", { name: "Saved filters" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Export" })).toBeNull();
});
