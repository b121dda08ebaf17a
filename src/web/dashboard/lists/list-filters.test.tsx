import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
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

test("keeps a day while its year is typed, and filters by the complete one", async () => {
  const router = open("/admin/payments");
  const day = screen.getByLabelText<HTMLInputElement>("From day");
  for (const value of ["0002-02-13", "0020-02-13", "0202-02-13"]) {
    fireEvent.change(day, { target: { value } });
    await pass(300);
    expect(day.value).toBe(value);
    expect(router.state.location.search).toBe("");
  }
  fireEvent.change(day, { target: { value: "2026-02-13" } });
  await pass(300);
  expect(router.state.location.search).toBe("?from=2026-02-13");
  await act(() => router.navigate("/admin/payments"));
  expect(day.value).toBe("");
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
