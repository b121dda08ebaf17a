import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { LogEntry } from "../../lib/api/admin/lists.ts";
import { currentToasts } from "../../lib/toasts.ts";
import AdminLogsPage from "./logs-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({
  list: { data: undefined, error: null } as Answer,
  refetch: vi.fn(),
  requests: vi.fn(),
}));
vi.mock("../../lib/api/admin/lists.ts", () => ({
  useLog: (input: unknown) => {
    server.requests(input);
    return { ...server.list, isFetching: false, isPlaceholderData: false, refetch: server.refetch };
  },
}));

const entry: LogEntry = {
  id: "l1",
  type: "payment",
  ref_id: "0b0c2f9e-8f2a-4b43-9a86-2d8a3c1d0f11",
  message: "The deposit for Electric Dreams was paid",
  meta: { amount: 37_500, provider: { name: "stripe" } },
  actor: { id: "u1", name: "Ines Halvorsen" },
  booking: { id: "b1", number: "SD-7KQ4MN" },
  created_at: "2026-11-20T12:00:00.000Z",
};
beforeEach(() => {
  server.list = { data: { items: [entry], total: 1, capped: false }, error: null };
});

test("shows an entry's type, message and reference, and opens to names and values", () => {
  renderInMantine(<AdminLogsPage />);
  expect(screen.getByText("payment", { selector: ".badge" }).className).toContain("green");
  expect(screen.getAllByText("SD-7KQ4MN").length).toBeGreaterThan(0);
  expect(screen.getByText("provider.name")).toBeTruthy();
  expect(screen.getByText("37500")).toBeTruthy();
  expect(screen.getByText("Ines Halvorsen")).toBeTruthy();
});

test("shows an unknown type as it is, and shortens a long id", () => {
  server.list = {
    data: { items: [{ ...entry, type: "rumour", booking: null }], total: 1, capped: false },
    error: null,
  };
  renderInMantine(<AdminLogsPage />);
  expect(screen.getByText("rumour")).toBeTruthy();
  expect(screen.getByText("0b0c2f9e")).toBeTruthy();
});

test("requests the chosen local days, the last one to its end", async () => {
  renderInMantine(<AdminLogsPage />, undefined, "/?from=2026-11-20");
  const [from, to] = [20, 21].map((day) => new Date(2026, 10, day).toISOString());
  fireEvent.input(screen.getByLabelText("To day"), { target: { value: "2026-11-20" } });
  await waitFor(() => expect(server.requests).toHaveBeenLastCalledWith(expect.objectContaining({ from, to })));
});

test.each(["0002-11-20", "9999-12-31"])("ignores %s as the last day, and shows the page", (value) => {
  renderInMantine(<AdminLogsPage />, undefined, `/?to=${value}`);
  expect(server.requests).toHaveBeenLastCalledWith(expect.objectContaining({ to: "" }));
});

test("copies the entry as JSON", async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  renderInMantine(<AdminLogsPage />);
  press("Copy as JSON");
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ title: "Copied" }));
  expect(JSON.parse(writeText.mock.calls[0]?.[0] ?? "")).toEqual(entry);
});

test("shows an empty list, and reports a failed request with Retry", () => {
  server.list = { data: { items: [], total: 0, capped: false }, error: null };
  const { unmount } = renderInMantine(<AdminLogsPage />);
  expect(screen.getByText("No logs found")).toBeTruthy();
  unmount();
  server.list = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminLogsPage />);
  expect(screen.queryByText("No logs found")).toBeNull();
  press("Retry");
  expect(server.refetch).toHaveBeenCalled();
});
