import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { AdminOverview } from "#reports/api.ts";
import { apiError, renderInMantine } from "../dashboard/test-providers.tsx";
import AdminOverviewPage from "./overview-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({ overview: { data: undefined, error: null } as Answer }));
vi.mock("../lib/api/overviews.ts", () => ({
  useAdminOverview: () => ({ ...server.overview, isFetching: false, refetch: vi.fn() }),
  useAttention: () => ({ isFetched: true }),
}));
vi.mock("../lib/api/reviews.ts", () => ({
  useReportedReviews: () => ({ isFetched: true }),
  useHiddenReviews: () => ({ isFetched: true }),
}));
vi.mock("./attention.tsx", () => ({ AttentionNote: () => null }));
// The chart is not tested here. The table has the same amounts.
vi.mock("../dashboard/charts/month-bars.tsx", () => ({ default: () => null }));
vi.mock("./reported-reviews.tsx", () => ({ ReportedReviews: () => null }));
vi.mock("../lib/site.ts", () => ({ useSite: () => ({ currency: "usd" }) }));

const known: AdminOverview = {
  from: "2026-10-23",
  to: "2026-11-21",
  bookings: 178,
  bookings_before: 157,
  payments: 96,
  revenue: [{ currency: "usd", amount: 5_218_000 }],
  contracts_signed: 61,
  active_artists: 124,
  before: { currency: "usd", revenue: 5_000_000, contracts_signed: 61, active_artists: 118 },
  money_in: {
    currency: "usd",
    months: [
      { month: "2026-10", deposit_cents: 37_500, balance_cents: 0 },
      { month: "2026-11", deposit_cents: 25_000, balance_cents: 112_550 },
    ],
    other_currencies: ["eur"],
  },
  needs: { claims: 0, admin_requests: 0, late_contracts: [], late_count: 0 },
  by_status: [],
  next_shows: [],
  backup: {
    state: "verified",
    last_verified_at: new Date("2026-11-20T03:00:00Z"),
    compared_tables: 48,
    compared_rows: 1_204_611,
    bytes: 1_800_000,
    last_failure: null,
  },
};
beforeEach(() => {
  server.overview = { data: known, error: null };
});

test.each([
  ["178", "/admin/bookings?from=2026-10-23", "+\u206021 vs previous 30 days"],
  [
    "$52,180",
    "/admin/payments?status=succeeded&from=2026-10-23&to=2026-11-21",
    "less refunds, +\u2060$2,180 vs previous 30 days",
  ],
  ["61", "/admin/contracts?status=signed&from=2026-10-23", "same as previous 30 days"],
  ["124", "/admin/artists?active=active", "6 new"],
])("links the figure %s to its list and describes its change", (value, href, trend) => {
  renderInMantine(<AdminOverviewPage />);
  expect(screen.getByRole("link", { name: value }).getAttribute("href")).toBe(href);
  expect(screen.getByText((text) => text.endsWith(trend))).toBeTruthy();
});

test("explains a sum below zero by its refunds", () => {
  server.overview = { data: { ...known, revenue: [{ currency: "usd", amount: -50_000 }] }, error: null };
  renderInMantine(<AdminOverviewPage />);
  expect(screen.getByText(/less refunds, which exceed them, −/)).toBeTruthy();
});

test.each([
  ["verified", /Last verified backup: /, "small quiet"],
  ["late", /That is more than 8 days ago/, "note cherry"],
  ["failed", /The newest one could not be restored/, "note cherry"],
  ["none", /Last verified backup: none\. Without one/, "note gold"],
] as const)("describes a backup that is %s on one line that links to the components", (state, words, color) => {
  const last_verified_at = state === "none" ? null : known.backup.last_verified_at;
  server.overview = { data: { ...known, backup: { ...known.backup, state, last_verified_at } }, error: null };
  renderInMantine(<AdminOverviewPage />);
  const link = screen.getByRole("link", { name: "Last verified backup" });
  expect(link.getAttribute("href")).toBe("/admin/settings/components");
  expect(link.parentElement?.textContent).toMatch(words);
  expect(link.parentElement?.className).toContain(color);
});

test("links each pending decision, and renders no section if there is none", () => {
  const { unmount } = renderInMantine(<AdminOverviewPage />);
  expect(screen.queryByRole("heading", { name: "Needs you" })).toBeNull();
  unmount();
  const late = [{ id: "b1", number: "SD-7KQ4MN", artist: "Brass Republic" }];
  server.overview = {
    data: { ...known, needs: { claims: 2, admin_requests: 1, late_contracts: late, late_count: 12 } },
    error: null,
  };
  renderInMantine(<AdminOverviewPage />);
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Brass Republic, SD-7KQ4MN")).toBe("/admin/bookings/b1");
  expect(hrefOf("11 more")).toBe("/admin/bookings?status=deposit_paid");
  expect(hrefOf("1 user requests the admin role")).toBe("/admin/users");
  expect(hrefOf("2 artist profile claims to decide")).toBe("/admin/users");
});

test("lists the money of each month in a table, newest first", () => {
  renderInMantine(<AdminOverviewPage />);
  const rows = Array.from(document.querySelectorAll("table tr"), (row) =>
    Array.from(row.children, ({ textContent }) => textContent),
  );
  expect(rows).toEqual([
    ["Month", "Deposits", "Balances"],
    ["November 2026", "$250.00", "$1,125.50"],
    ["October 2026", "$375.00", "$0.00"],
  ]);
  expect(screen.getByText("Amounts in euros are not shown.")).toBeTruthy();
});

test("shows no figures if the request fails", () => {
  server.overview = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminOverviewPage />);
  expect(screen.getByText("The figures could not be loaded")).toBeTruthy();
  expect(screen.queryByText("0")).toBeNull();
});
