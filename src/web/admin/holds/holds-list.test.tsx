import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { HoldsList } from "./holds-list.tsx";
import type { ListedHold } from "./use-holds.ts";

const server = vi.hoisted(() => ({ items: [] as object[], release: vi.fn() }));
vi.mock("./use-holds.ts", () => ({
  useAllHolds: () => ({ data: { items: server.items, total: server.items.length, capped: false }, error: null }),
  useReleaseAnyHold: () => ({ mutateAsync: server.release }),
}));

const hold = (more: Partial<ListedHold> = {}) => ({
  id: "n1",
  hold_id: "h1",
  night: "2027-02-12",
  rank: 1,
  state: "active",
  must_pay: false,
  ends_at: new Date("2027-02-01T18:00:00"),
  booking_id: null,
  artist: { id: "a1", slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin" },
  promoter_name: "Tom Brandt",
  has_account: true,
  can: { release: true },
  ...more,
});

beforeEach(() => {
  vi.clearAllMocks();
  // The holds of this file are in 2027.
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
});

test("releases a hold with a reason, but not an expired one", async () => {
  server.release.mockResolvedValue({});
  server.items = [hold(), hold({ id: "n2", promoter_name: "Mira Voss", state: "expired", can: { release: false } })];
  renderInMantine(<HoldsList />);
  expect(screen.getAllByText(/until Mon 1 Feb 2027, 18:00/).length).toBeGreaterThan(0);
  const [closed] = await screen.findAllByRole("button", { name: /^Actions: .*Mira Voss$/ });
  fireEvent.click(closed ?? document.body);
  expect(await screen.findByRole("menuitem", { name: "View artist" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: /Release/ })).toBeNull();
  fireEvent.click(closed ?? document.body);
  const [open] = screen.getAllByRole("button", { name: /^Actions: .*Tom Brandt$/ });
  fireEvent.click(open ?? document.body);
  fireEvent.click(await screen.findByRole("menuitem", { name: "Release hold…" }));
  expect(await screen.findByText(/We send the reason to Tom Brandt and to Electric Dreams/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: "Held twice by mistake" } });
  fireEvent.click(screen.getByRole("button", { name: "Release hold" }));
  await waitFor(() =>
    expect(server.release).toHaveBeenCalledWith({ id: "h1", night: "2027-02-12", reason: "Held twice by mistake" }),
  );
});

test("shows the server's message about the reason below it", async () => {
  const fields = [{ field: "reason", message: "Enter at least 10 characters that can be read." }];
  const data = { code: "invalid", message: `Reason: ${fields[0]?.message}`, data: { fields } };
  server.release.mockRejectedValue(Object.assign(new Error("invalid"), { status: 400, code: "invalid", data }));
  server.items = [hold()];
  renderInMantine(<HoldsList />);
  const [menu] = await screen.findAllByRole("button", { name: /^Actions: / });
  fireEvent.click(menu ?? document.body);
  fireEvent.click(await screen.findByRole("menuitem", { name: /Release/ }));
  fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: "They called off." } });
  fireEvent.click(screen.getByRole("button", { name: "Release hold" }));
  await screen.findByText("Enter at least 10 characters that can be read.");
});
