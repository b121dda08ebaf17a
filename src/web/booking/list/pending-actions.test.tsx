import { act, cleanup, fireEvent, renderHook, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { type BookingToActOn, PendingActions, type OtherAction, useShowsPendingActions } from "./pending-actions.tsx";

const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const needed = (id: string, due: BookingToActOn["act_due"]): BookingToActOn => ({
  id,
  number: `SD-${id}`,
  event_date: "2027-02-13",
  venue_name: "Armory Hall",
  act_due: due,
});
const query = {
  error: null as Error | null,
  isPending: false,
  isFetching: false,
  isPlaceholderData: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
  refetch: vi.fn(),
};

const requests: object[] = [];
afterEach(() => localStorage.clear());

function draw(
  bookings: readonly BookingToActOn[] | undefined,
  error: Error | null = null,
  alone = true,
  others: readonly OtherAction[] = [],
  counted: { all?: number; needs_you?: number } = {},
) {
  requests.length = 0;
  return renderInMantine(
    <PendingActions
      viewer="artist"
      alone={alone}
      others={others}
      useBookings={(options) => {
        requests.push(options);
        const counts = { all: 3, upcoming: 0, needs_you: bookings?.length ?? 0, unpaid: 0, past: 0, ...counted };
        return { query: { ...query, error }, bookings, summary: bookings && { counts, sums: [] } };
      }}
      pageOf={(id) => `/artist/bookings/${id}`}
      all="/artist/bookings?show=needs_you"
      nameOf={({ id }) => `Hannah ${id}`}
      action={({ id }, primary) => <button type="button">{primary ? `First: ${id}` : `Action on ${id}`}</button>}
    />,
  );
}

test("names the last day of a balance in the time zone of its booking", () => {
  vi.useFakeTimers({ now: new Date("2026-12-20T12:00:00Z"), toFake: ["Date"] });
  // The end of 23 December in Austin, when it is 24 December in the test's zone.
  draw([{ ...needed("A", { kind: "balance_due", at: "2026-12-24T06:00:00Z" }), time_zone: "America/Chicago" }]);
  expect(screen.getByText("Wed 23 Dec")).toBeTruthy();
  vi.useRealTimers();
});

test("lists pending actions by deadline with the time left, and only the first as primary", () => {
  draw([
    needed("A", { kind: "signatures_due", at: inHours(100) }),
    needed("B", { kind: "answer_due", at: inHours(5) }),
    needed("C", null),
  ]);
  expect(requests[0]).toEqual({ search: "", show: "needs_you", sort: undefined });
  const section = within(screen.getByRole("region", { name: "Needs you" }));
  expect(section.getByText("3 to do, soonest first")).toBeTruthy();
  expect(section.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/artist/bookings?show=needs_you",
    "/artist/bookings/B",
    "/artist/bookings/A",
    "/artist/bookings/C",
  ]);
  expect(section.getByText(/Answer due in 5 h/)).toBeTruthy();
  expect(section.getAllByRole("button").map((button) => button.textContent)).toEqual([
    "First: B",
    "Action on A",
    "Action on C",
  ]);
});

test("shows an action without a booking first, even if no booking needs one", () => {
  const account = {
    id: "account",
    title: "Your payment account is restricted",
    text: "Held.",
    page: "/artist/payouts",
  };
  draw([needed("A", null)], null, true, [{ ...account, action: <button type="button">View payouts</button> }]);
  expect(screen.getByText("2 to do")).toBeTruthy();
  expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual(["View payouts", "Action on A"]);
  cleanup();
  draw([], null, true, [{ ...account, action: null }]);
  expect(screen.getByText("1 to do")).toBeTruthy();
  expect(screen.getByRole("link", { name: account.title }).getAttribute("href")).toBe("/artist/payouts");
});

test("links to the full list, and counts every card", () => {
  draw(["1", "2", "3", "4", "5", "6"].map((id) => needed(id, null)));
  expect(screen.getByRole("link", { name: "All 6" }).getAttribute("href")).toBe("/artist/bookings?show=needs_you");
  expect(screen.getAllByRole("button")).toHaveLength(6);
  expect(screen.getByText("1 of 6")).toBeTruthy();
  cleanup();
  draw(
    ["1", "2", "3"].map((id) => needed(id, null)),
    null,
    true,
    [],
    { needs_you: 130 },
  );
  expect(screen.getByText("130 to do")).toBeTruthy();
  expect(screen.getByRole("link", { name: "All 130" })).toBeTruthy();
  expect(screen.getByText("1 of 130")).toBeTruthy();
});

test.each([
  ["?search=dock", true],
  ["?show=past", true],
  ["?show=needs_you", false],
])("with %s in the address it is shown: %s", (address, shown) => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  );
  expect(renderHook(useShowsPendingActions, { wrapper }).result.current).toBe(shown);
});

test("shows Retry after a failed request instead of an empty section", () => {
  draw(undefined, new Error("no network"));
  expect(screen.getByRole("alert").textContent).toContain("What needs you could not be loaded.");
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(query.refetch).toHaveBeenCalled();
});

test("shows no alert above a list, and retries automatically", () => {
  vi.useFakeTimers();
  query.refetch.mockClear();
  draw(undefined, new Error("no network"), false);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("region", { name: "Needs you" }).getAttribute("data-failed")).toBe("true");
  act(() => void vi.advanceTimersByTime(11_000));
  expect(query.refetch).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test("reserves its space while loading, reports once that nothing is pending, and disappears on the next visit", () => {
  const { unmount } = draw(undefined);
  expect(screen.getByRole("region", { name: "Needs you" }).getAttribute("aria-busy")).toBe("true");
  unmount();
  const first = draw([]);
  expect(screen.getByText("Nothing needs you right now.")).toBeTruthy();
  first.unmount();
  draw([]);
  expect(screen.queryByRole("region", { name: "Needs you" })).toBeNull();
});

test("shows nothing above a list to a user without any booking, but an action without a booking", () => {
  const { unmount } = draw([], null, false, [], { all: 0 });
  expect(screen.queryByRole("region", { name: "Needs you" })).toBeNull();
  unmount();
  draw([], null, false, [{ id: "a", title: "Set up", text: "", page: "/artist/payouts", action: null }], { all: 0 });
  expect(screen.getByRole("region", { name: "Needs you" })).toBeTruthy();
});
