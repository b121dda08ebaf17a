import { expect, test, vi } from "vitest";
import { dashboardPathOf } from "./dashboard-page.tsx";

vi.mock("../lib/api/current-user.ts", () => ({ useCurrentUser: vi.fn() }));

test.each([
  ["admin", "/admin"],
  ["artist", "/artist"],
  ["promoter", "/promoter/bookings"],
  [null, "/promoter/bookings"],
] as const)("returns the dashboard of the role %s: %s", (role, address) => {
  expect(dashboardPathOf(role)).toBe(address);
});
