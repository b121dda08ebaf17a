import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import ArtistBookingsPage from "./bookings-page.tsx";

vi.mock("../../lib/api/browser-api.ts", () => {
  const call: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (typeof name === "symbol" || name === "then" ? undefined : call),
    apply: () => new Promise(() => undefined),
  });
  return { browserApi: call };
});
vi.mock("../../lib/clock.ts", () => ({ currentTime: () => new Date() }));
vi.mock("../../lib/api/artist/own-profile.ts", async (original) => ({
  ...(await original<object>()),
  useOwnProfile: () => ({ data: { slug: "cold-harbor", time_zone: "America/Chicago" } }),
}));
vi.mock("../calendar/week/week-view.tsx", () => ({
  weekOfAddress: () => "2027-02-08",
  WeekView: ({ today }: { today: string }) => <p>Today is {today}</p>,
}));

afterEach(() => void vi.useRealTimers());

test("moves to the artist's next day at midnight while the week is open", () => {
  vi.useFakeTimers({ now: new Date("2027-02-10T05:59:30Z") });
  renderInMantine(<ArtistBookingsPage />);
  fireEvent.click(screen.getByRole("link", { name: "Week" }));
  expect(screen.getByText("Today is 2027-02-09")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(minuteMs));
  expect(screen.getByText("Today is 2027-02-10")).toBeTruthy();
});
