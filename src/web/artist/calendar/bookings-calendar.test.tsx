import { fireEvent, render, screen, within, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useSearchParams } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { BookingsCalendar, monthOfAddress } from "./bookings-calendar.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({ answer: { data: undefined, error: null } as Answer, retry: vi.fn() }));
vi.mock("../../lib/api/booking-lists.ts", () => ({
  useArtistMonth: () => ({ ...server.answer, isFetching: false, isPlaceholderData: false, refetch: server.retry }),
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
      month={monthOfAddress(query.get("month"))}
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
  server.answer = { data: { items }, error: null };
});

test("every booking stands on its day and in the list below, and leads to its page", () => {
  open();
  expect(slips().map((slip) => slip.getAttribute("href"))).toEqual(
    ["A", "B", "C"].map((id) => `/artist/bookings/${id}`),
  );
  expect(slips()[2]?.textContent).toContain("Held at the checkout");
  const agenda = screen.getByRole("region", { name: "February, as a list" });
  expect(within(agenda).getAllByRole("listitem")).toHaveLength(3);
  expect(within(agenda).getByRole("button", { name: "Act on C" })).toBeTruthy();
});

test("a day says its shows, arrow keys lead there and Enter into it", () => {
  const router = open();
  const single = screen.getByRole("gridcell", {
    name: /^Friday 5 February 2027, 1 booking: Canceled,\s*20:30, Promoter A/,
  });
  const two = screen.getByRole("gridcell", {
    name: /^Saturday 13 February 2027, 2 bookings: Deposit paid, Held at the checkout,\s*20:30, Promoter B/,
  });
  single.focus();
  for (const key of ["ArrowDown", "ArrowRight"]) fireEvent.keyDown(document.activeElement ?? single, { key });
  expect(document.activeElement).toBe(two);
  fireEvent.keyDown(two, { key: "Enter" });
  expect(document.activeElement).toBe(slips()[1]);
  fireEvent.keyDown(single, { key: "Enter" });
  expect(router.state.location.pathname).toBe("/artist/bookings/A");
});

test("Page Down on a show leads to the same day of the next month, and the view stays in the address", async () => {
  const router = open();
  expect(screen.getByRole("link", { name: "Previous month" }).getAttribute("href")).toContain("month=2027-01");
  const [first] = slips();
  first?.focus();
  fireEvent.keyDown(first as HTMLElement, { key: "PageDown" });
  await waitFor(() => expect(router.state.location.search).toBe("?view=month&month=2027-03"));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-date")).toBe("2027-03-05"));
});

test("an empty month says so, a failed one offers Retry and shows no month", () => {
  server.answer = { data: { items: [] }, error: null };
  open();
  expect(screen.getByText("No shows and no requests in this month.")).toBeTruthy();
  server.answer = { data: undefined, error: new Error("away") };
  open();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(server.retry).toHaveBeenCalledOnce();
});

test("nonsense in the address is the present month", () => {
  expect(monthOfAddress("2027-02")).toMatchObject({ year: 2027, month: 2 });
  const now = new Date();
  for (const text of [null, "", "2027-13", "x"])
    expect(monthOfAddress(text)).toMatchObject({ year: now.getFullYear(), month: now.getMonth() + 1 });
});
