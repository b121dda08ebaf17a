import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { ListedContract } from "../../lib/api/admin/lists.ts";
import AdminContractsPage from "./contracts-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({ list: { data: undefined, error: null } as Answer, refetch: vi.fn() }));
vi.mock("../../booking/actions/mark-signed-dialog.tsx", () => ({ openMarkSigned: vi.fn() }));
vi.mock("../../lib/api/admin/lists.ts", () => ({
  useContracts: () => ({ ...server.list, isFetching: false, isPlaceholderData: false, refetch: server.refetch }),
}));

const contract: ListedContract = {
  id: "c1",
  signed_status: "sent",
  provider: "embedded",
  sent_at: "2026-11-20T12:00:00.000Z",
  signed_at: null,
  ended_at: null,
  end_code: null,
  created_at: "2026-11-19T12:00:00.000Z",
  expires_at: "2026-11-27T12:00:00.000Z",
  signed_sides: ["artist"],
  artist: { slug: "kestrel", name: "Kestrel Quartet", genre: "classical", location: "Austin" },
  booking: { id: "b1", number: "SD-7KQ4MN", promoter_name: "Riverside Arts", event_date: "2027-01-22" },
  can: { mark_signed: true },
};
const show = (items: ListedContract[]) => {
  server.list = { data: { items, total: items.length, capped: false }, error: null };
  return renderInMantine(<AdminContractsPage />);
};
beforeEach(() => vi.clearAllMocks());

test("links a row to its contract, with artist, promoter, booking, event and status, and shows an unknown status as it is", async () => {
  const other = { ...contract, id: "c2", signed_status: "half_signed", provider: "paper", can: { mark_signed: false } };
  show([contract, other]);
  const rows = within(screen.getByRole("region", { name: "Contracts" })).getAllByRole("row");
  for (const part of [
    "Kestrel Quartet",
    "Riverside Arts",
    "SD-7KQ4MN",
    "Fri 22 Jan 2027",
    "Sent",
    "artist signed",
    "until 27 Nov 2026",
    "Built-in",
  ])
    expect(rows[1]?.textContent).toContain(part);
  expect(rows[2]?.textContent).toContain("half_signed");
  expect(rows[2]?.textContent).toContain("paper");
  const [, first, second] = rows.map((row) => within(row));
  expect(first?.getByRole("link").getAttribute("href")).toBe("/admin/contracts/c1");
  fireEvent.click(second?.getByRole("button", { name: /^Actions:/ }) as HTMLElement);
  await screen.findByRole("menuitem", { name: "Open contract" });
  expect(screen.queryByRole("menuitem", { name: "Mark Signed" })).toBeNull();
  fireEvent.click(first?.getByRole("button", { name: /^Actions:/ }) as HTMLElement);
  await screen.findByRole("menuitem", { name: "Mark Signed" });
  expect(first?.getByRole("button", { name: "Mark Signed" })).toBeTruthy();
  expect(second?.queryByRole("button", { name: "Mark Signed" })).toBeNull();
});

test("shows when and why a contract ended, and offers no Mark Signed for it", () => {
  const ended = { ended_at: "2026-11-22T12:00:00.000Z", end_code: "contract_expired", can: { mark_signed: false } };
  show([contract, { ...contract, ...ended, id: "c2" }]);
  const [, open, over] = within(screen.getByRole("region", { name: "Contracts" })).getAllByRole("row");
  expect(open?.textContent).not.toContain("Ended");
  for (const part of ["Sent", "Ended", "22 Nov", "The contract was not signed in time."])
    expect(over?.textContent).toContain(part);
  const filter = screen.getByRole<HTMLSelectElement>("combobox", { name: "Status" });
  expect([...filter.options].map((one) => one.value)).toEqual(expect.arrayContaining(["to_sign", "ended", "sent"]));
});

test("shows an empty state, and an error state if loading fails", () => {
  const { unmount } = show([]);
  expect(screen.getByText("No contracts found")).toBeTruthy();
  unmount();
  server.list = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminContractsPage />);
  expect(screen.queryByText("No contracts found")).toBeNull();
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});
