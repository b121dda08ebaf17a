import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useArtistMonth, usePromoterMonth } from "./booking-lists.ts";
import { queryClient } from "./query.ts";

type Input = { month: string; limit: number; cursor?: string };
const pages = vi.hoisted(() => ({
  load: vi.fn(({ cursor }: Input) =>
    Promise.resolve(
      cursor ? { items: [{ id: "c" }], nextCursor: null } : { items: [{ id: "a" }, { id: "b" }], nextCursor: "next" },
    ),
  ),
}));
vi.mock("./browser-api.ts", () => ({
  browserApi: { bookings: { listOfArtist: pages.load, listOfPromoter: pages.load } },
}));

test.each([
  ["artist", useArtistMonth],
  ["promoter", usePromoterMonth],
])("a month of the %s has the bookings of all pages", async (_role, useMonth) => {
  pages.load.mockClear();
  const { result } = renderHook(() => useMonth("2027-02"), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.data?.items.map(({ id }) => id)).toEqual(["a", "b", "c"]));
  expect(pages.load.mock.calls.map(([input]) => input.cursor)).toEqual([undefined, "next"]);
});
