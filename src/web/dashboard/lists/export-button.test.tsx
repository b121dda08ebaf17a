import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentToasts } from "../../lib/toasts.ts";
import { press, renderInMantine } from "../test-providers.tsx";
import { ExportButton } from "./list-filters.tsx";

vi.mock("../../lib/auth/session.ts", () => ({ accessToken: () => Promise.resolve("token-1") }));
const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal("fetch", fetched);
  URL.createObjectURL = () => "blob:list";
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => vi.unstubAllGlobals());

test("fetches the list with the user's token and the current filters, and saves it under the server's file name", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  fetched.mockResolvedValue(
    new Response("a", { headers: { "content-disposition": 'attachment; filename="payments-2026-11-22.csv"' } }),
  );
  renderInMantine(<ExportButton list="payments" filters={{ search: "", status: "failed" }} />);
  press("Export");
  await waitFor(() => expect(saved).toEqual(["payments-2026-11-22.csv"]));
  expect(fetched).toHaveBeenCalledWith("/api/admin/payments.csv?status=failed", {
    headers: { authorization: "Bearer token-1" },
  });
  await screen.findByRole("button", { name: "Export" });
});

test("sends the ids of selected rows in the body, because an address has no space for many", async () => {
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  fetched.mockResolvedValue(new Response("a"));
  const ids = Array.from({ length: 500 }, () => crypto.randomUUID());
  renderInMantine(<ExportButton list="artistBookings" filters={{}} ids={ids} label="Export selected" />);
  press("Export selected");
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  const [address, init] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("/api/artist/bookings.csv?");
  expect(init).toMatchObject({
    method: "POST",
    headers: { authorization: "Bearer token-1", "content-type": "application/json" },
  });
  expect(init?.body).toBe(JSON.stringify({ ids }));
});

test("shows the server's error for a forbidden call", async () => {
  fetched.mockResolvedValue(Response.json({ message: "This is for admins only." }, { status: 403 }));
  renderInMantine(<ExportButton list="logs" filters={{}} />);
  press("Export");
  await waitFor(() =>
    expect(currentToasts().at(-1)).toMatchObject({ tone: "error", text: "This is for admins only." }),
  );
});
