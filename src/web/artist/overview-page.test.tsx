import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ArtistOverview, OverviewShow } from "#reports/api.ts";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import ArtistOverviewPage from "./overview-page.tsx";

const server = vi.hoisted(() => ({ overview: undefined as unknown, viewer: undefined as object | undefined }));
vi.mock("../lib/page-time.ts", () => ({ pageTime: () => server.viewer }));
vi.mock("../lib/api/overviews.ts", () => ({
  useArtistOverview: () => ({ data: server.overview, error: null, isFetching: false, refetch: vi.fn() }),
}));
vi.mock("../lib/api/browser-api.ts", () => ({ browserApi: {} }));
vi.mock("../lib/site.ts", () => ({ useSite: () => ({ currency: "usd" }) }));
vi.mock("../dashboard/calendar-feeds/import-conflicts.tsx", () => ({ ImportConflicts: () => null }));
vi.mock("./bookings/artist-pending-actions.tsx", () => ({ ArtistPendingActions: () => null }));
vi.mock("./bookings/booking-sections.tsx", () => ({ BookingSections: () => null }));
vi.mock("./calendar/travel-warnings.tsx", () => ({ TravelWarnings: () => null }));
vi.mock("./profile-claim-section.tsx", () => ({ ProfileClaimSection: () => null }));

const show: OverviewShow = {
  id: "00000000-0000-4000-8000-0000000000aa",
  event_date: "2026-12-20",
  event_time: "20:00",
  event_type: "Club night",
  guest_count: null,
  venue_name: "Blue Hall",
  promoter_name: "Hannah Whitt",
  status: "contract_signed",
  balance_paid: true,
  fee_cents: 150_000,
  kept_cents: 150_000,
  currency: "usd",
  artist: { slug: "night-owls", name: "Night Owls", genre: "Jazz", location: "Austin, Texas" },
};

const overview = (next: OverviewShow | null): ArtistOverview => ({
  month_from: "2026-12-01",
  has_profile: true,
  price_to_confirm: null,
  payment_account: null,
  open_steps: [],
  upcoming_shows: 1,
  awaiting_signature: 0,
  deposits: 0,
  deposits_sum: [],
  balances: 0,
  outstanding: [],
  next_show: next,
  ahead: [],
  held: [],
});

afterEach(() => void (server.viewer = undefined));

test.each([
  [{}, "held in full"],
  [{ kept_cents: 140_000 }, "$1,400 held"],
  [{ balance_paid: false, kept_cents: 37_500 }, null],
])("says what is held of the next show: %j", (change, text) => {
  server.overview = overview({ ...show, ...change });
  renderInMantine(<ArtistOverviewPage />);
  screen.getByRole("heading", { name: "Blue Hall" });
  expect(screen.queryByText(/\bheld\b/)?.textContent ?? null).toBe(text);
});

test.each([
  ["Pacific/Honolulu", "Wednesday 9 December 2026", "in 11 days"],
  ["Australia/Sydney", "Thursday 10 December 2026", "in 10 days"],
])("counts the days until the next show from the date above it, in %s", (zone, today, left) => {
  server.viewer = { zone, now: Date.parse("2026-12-10T09:00:00Z") };
  server.overview = overview(show);
  renderInMantine(<ArtistOverviewPage />);
  expect(screen.getByText(new RegExp(`^${today}\\.`))).toBeTruthy();
  expect(screen.getByText(`Next show, ${left}`)).toBeTruthy();
});

test("links the next steps of a saved profile without shows, until they are done", () => {
  const links = () =>
    screen.getAllByRole("listitem").map((step) => within(step).getByRole("link").getAttribute("href"));
  server.overview = { ...overview(null), open_steps: ["media", "payment_account"] };
  const { unmount } = renderInMantine(<ArtistOverviewPage />);
  screen.getByRole("heading", { name: "No confirmed shows ahead" });
  expect(links()).toEqual(["/artist/media", "/artist/payouts"]);
  unmount();
  server.overview = overview(null);
  renderInMantine(<ArtistOverviewPage />);
  expect(screen.queryByText("Connect a payment account")).toBeNull();
});
