import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { AttentionNote } from "./attention.tsx";

const attention = vi.hoisted(() => vi.fn());
vi.mock("../lib/api/browser-api.ts", () => ({ browserApi: { activity: { attention } } }));

beforeEach(() => void attention.mockReset());

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <AttentionNote />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test("renders nothing if nothing requires attention", async () => {
  attention.mockResolvedValue({ items: [] });
  const { container } = show();
  await waitFor(() => expect(attention).toHaveBeenCalled());
  expect(container.textContent).toBe("");
});

test("shows each kind with its count and its oldest case", async () => {
  const refund = { kind: "refund", message: "refunds that failed and are still owed" };
  attention.mockResolvedValue({ items: [{ ...refund, count: 2, since: "2026-11-20T10:00:00Z", example: "abc" }] });
  show();
  const item = await screen.findByRole("listitem");
  expect(item.textContent).toContain("Refunds that failed and are still owed2 cases, the oldest since");
  expect(item.textContent).not.toContain("abc");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/admin/payments");
  screen.getByRole("region", { name: "Needs a decision" });
});

const id = "0190aaaa-0000-7000-8000-000000000001";
test.each<[string, string, string, number?]>([
  ["lost_dispute", id, `/admin/bookings/${id}`],
  ["payout", id, "/admin/payments", 2],
  ["no_show", id, `/admin/bookings/${id}`, 2],
  ["dispute", "du_1", "/admin/payments"],
  ["contract_copy", id, `/admin/contracts/${id}`],
  ["provider_event", "evt_1 charge.refunded", "/admin/settings?tab=integrations"],
  ["same_name", "Élan & Co", "/admin/artists?search=%C3%89lan+%26+Co"],
  ["email", id, "/admin/logs?type=notification"],
])("leads from %s %s to %s", async (kind, example, href, count = 1) => {
  attention.mockResolvedValue({ items: [{ kind, message: "cases", count, since: null, due: null, example }] });
  show();
  expect((await screen.findByRole("link")).getAttribute("href")).toBe(href);
});

test("shows a failed request", async () => {
  attention.mockRejectedValue(new TypeError("Failed to fetch"));
  show();
  expect((await screen.findByRole("alert")).textContent).toContain("The cases to decide could not be loaded.");
});
