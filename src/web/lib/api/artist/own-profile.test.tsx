import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useArtistToday } from "./own-profile.ts";

const readProfile = vi.hoisted(() => vi.fn());
vi.mock("../query.ts", () => ({
  orpc: { artists: { own: { read: { queryOptions: () => ({ queryKey: ["own"], queryFn: readProfile }) } } } },
}));
vi.mock("../../clock.ts", () => ({ currentTime: () => new Date("2027-02-09T11:30:00Z") }));
afterEach(() => void vi.resetAllMocks());

test.each([
  ["Pacific/Kiritimati", "2027-02-10"],
  ["Pacific/Pago_Pago", "2027-02-09"],
  ["Etc/GMT+12", "2027-02-08"],
])("returns today in the artist's time zone %s, not the viewer's", async (time_zone, today) => {
  readProfile.mockResolvedValue({ time_zone });
  const queries = new QueryClient();
  const { result } = renderHook(useArtistToday, {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current).toBe(today));
});
