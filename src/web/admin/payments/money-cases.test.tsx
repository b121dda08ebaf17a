import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { MoneyCases } from "./money-cases.tsx";

const server = vi.hoisted(() => ({ list: {} as { data?: { items: unknown[] }; error?: unknown } }));
vi.mock("../../lib/api/overviews.ts", () => ({
  useMoneyCases: () => ({ ...server.list, isFetching: false, refetch: vi.fn() }),
}));

const title = "Open cases of bookings";
const payout = {
  kind: "payout",
  id: "00000000-0000-4000-8000-0000000000aa",
  ref: "00000000-0000-4000-8000-0000000000bb",
  what: "payout that failed",
  amount: 101_250,
  currency: "usd",
  since: "2026-11-21T12:00:00Z",
  due: null,
  booking_id: "00000000-0000-4000-8000-0000000000bb",
  booking_number: "SD-7KQ4MN",
  artist_name: "Electric Dreams",
};
const dispute = {
  ...payout,
  kind: "dispute",
  id: "00000000-0000-4000-8000-0000000000cc",
  ref: "du_1",
  what: "disputed payment that needs evidence",
  due: "2020-01-01T00:00:00Z",
  booking_id: null,
};

beforeEach(() => {
  server.list = { data: { items: [dispute, payout] } };
});

test("renders nothing without cases and while they are loaded, and shows a failed request", () => {
  for (const list of [{ data: { items: [] } }, {}]) {
    server.list = list;
    const { unmount } = renderInMantine(<MoneyCases />);
    expect(screen.queryByText(title)).toBeNull();
    unmount();
  }
  server.list = { error: new TypeError("Failed to fetch") };
  renderInMantine(<MoneyCases />);
  expect(screen.getByRole("alert").textContent).toContain(`${title} could not be loaded.`);
  screen.getByRole("button", { name: "Retry" });
});

test("shows each case with its amount, and leads to its booking", () => {
  renderInMantine(<MoneyCases />);
  const rows = within(screen.getByRole("region", { name: title })).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Disputed payment that needs evidence, $1,012.50A payment that belongs to no booking, du_1, since Sat 21 NovThe time to answer is over",
    "Payout that failed, $1,012.50SD-7KQ4MN, Electric Dreams, since Sat 21 Nov",
  ]);
  expect(screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["SD-7KQ4MN", `/admin/bookings/${payout.booking_id}`],
  ]);
});
