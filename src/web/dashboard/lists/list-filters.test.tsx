import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ListFilters } from "./list-filters.tsx";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(address: string, days: boolean | string = true) {
  const router = createMemoryRouter([{ path: "*", element: <ListFilters placeholder="Search" days={days} /> }], {
    initialEntries: [address],
  });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  render(
    <MantineProvider env="test" withCssVariables={false}>
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return router;
}
const box = () => screen.getByRole<HTMLInputElement>("searchbox");
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const until = <Result,>(check: () => Result) => vi.waitFor(check, { timeout: 60_000 });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("updates the address after a pause in typing, and retains the input", async () => {
  const router = open("/admin/bookings");
  type("lan");
  await pass(200);
  expect(router.state.location.search).toBe("");
  await pass(60);
  expect(router.state.location.search).toBe("?search=lan");
  type("lantern ");
  await pass(300);
  expect(router.state.location.search).toBe("?search=lantern");
  expect(box().value).toBe("lantern ");
});

test("shows the search of an address reached by the sidebar or by going back", async () => {
  const router = open("/admin/bookings?search=zzzzqq");
  expect(box().value).toBe("zzzzqq");
  await act(() => router.navigate("/admin/bookings"));
  await pass(1_000);
  expect(router.state.location.search).toBe("");
  expect(box().value).toBe("");
  await act(() => router.navigate(-1));
  await pass(1_000);
  expect(router.state.location.search).toBe("?search=zzzzqq");
  expect(box().value).toBe("zzzzqq");
  await act(() => router.navigate(1));
  await pass(1_000);
  expect(router.state.location.search).toBe("");
});

test("clears the user's search by navigation, and restores it by going back", async () => {
  const router = open("/admin/bookings");
  type("lantern");
  await pass(300);
  await act(() => router.navigate("/admin/bookings"));
  await pass(1_000);
  expect(router.state.location.search).toBe("");
  await act(() => router.navigate(-1));
  await pass(1_000);
  expect(router.state.location.search).toBe("?search=lantern");
  expect(box().value).toBe("lantern");
});

test("keeps a day while it is typed, and filters by the complete one", async () => {
  const router = open("/admin/payments");
  const day = screen.getByLabelText<HTMLInputElement>("From day");
  for (const value of ["13", "13 Feb", "13 Feb 202", "someday"]) {
    fireEvent.input(day, { target: { value } });
    await pass(300);
    expect(day.value).toBe(value);
    expect(router.state.location.search).toBe("");
  }
  fireEvent.input(day, { target: { value: "13 Feb 2026" } });
  await until(() => expect(router.state.location.search).toBe("?from=2026-02-13"));
  expect(day.value).toBe("13 Feb 2026");
  await act(() => router.navigate("/admin/payments?from=2026-02-01"));
  expect(screen.getByLabelText("From day")).toHaveProperty("value", "Sun 1 Feb 2026");
  await act(() => router.navigate("/admin/payments"));
  expect(screen.getByLabelText("From day")).toHaveProperty("value", "");
});

test("filters by both days if they are read at the same time, because the parser was not loaded", async () => {
  const router = open("/admin/payments?search=lan&page=2");
  fireEvent.input(screen.getByLabelText("From day"), { target: { value: "1 Feb 2026" } });
  fireEvent.input(screen.getByLabelText("To day"), { target: { value: "13 Feb 2026" } });
  const days = { search: "lan", from: "2026-02-01", to: "2026-02-13" };
  await until(() => expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual(days));
});

test.each([
  ["the last such day", "To day", {}, { to: "2025-12-05" }],
  ["the next one after the first day", "To day", { from: "2026-10-01" }, { to: "2026-12-05" }],
  ["the last one before the last day", "From day", { to: "2025-06-01" }, { from: "2024-12-05" }],
])("reads a typed day without a year as %s", async (_, label, before, after) => {
  vi.setSystemTime("2026-11-30T12:00:00Z");
  const router = open(`/admin/payments?${new URLSearchParams(before)}`);
  const day = screen.getByLabelText(label);
  act(() => day.focus());
  fireEvent.input(day, { target: { value: "5 Dec" } });
  act(() => day.blur());
  const filters = () => Object.fromEntries(new URLSearchParams(router.state.location.search));
  await until(() => expect(filters()).toEqual({ ...before, ...after }));
});

test("chooses a day of the calendar up to the last one, and empties the field", async () => {
  vi.setSystemTime("2026-11-30T12:00:00Z");
  const router = open("/admin/payments?to=2026-11-20");
  const day = screen.getByLabelText("From day");
  act(() => day.focus());
  fireEvent.click(day);
  const grid = await until(() => screen.getByRole("dialog", { name: "From day: calendar" }));
  expect(within(grid).queryByRole("button", { name: "Any day" })).toBeNull();
  within(grid).getByRole("heading", { name: "November 2026" });
  expect(within(grid).queryByRole("button", { name: /21 November/ })).toBeNull();
  fireEvent.click(within(grid).getByRole("button", { name: /Friday 20 November 2026, can be chosen/ }));
  await until(() => expect(router.state.location.search).toBe("?to=2026-11-20&from=2026-11-20"));
  expect(document.activeElement).toBe(day);
  expect(day).toHaveProperty("value", "Fri 20 Nov 2026");
  fireEvent.click(day);
  fireEvent.click(await until(() => screen.getByRole("button", { name: "Any day" })));
  await until(() => expect(router.state.location.search).toBe("?to=2026-11-20"));
  expect(day).toHaveProperty("value", "");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("names the fields of days by their visible words", () => {
  open("/admin/bookings", "Requested");
  for (const [visible, name] of [
    ["Requested from", "Requested from day"],
    ["To", "To day, requested"],
  ] as const) {
    expect(screen.getByText(visible)).toBeTruthy();
    expect(screen.getByLabelText(name)).toBeTruthy();
  }
});
