import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { BackupReport, ComponentReport } from "#app/components/api.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { apiError, press, renderInMantine } from "../../../dashboard/test-providers.tsx";
import ComponentsPage from "./components-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({
  list: { data: undefined, error: null } as Answer,
  test: { data: undefined, error: null, isPending: false, variables: undefined } as object,
  pressed: vi.fn(),
}));
vi.mock("./use-components.ts", () => ({
  useComponents: () => ({ ...server.list, isFetching: false, refetch: vi.fn() }),
  useTestComponent: () => ({ ...server.test, mutate: server.pressed }),
}));

const component = (more: Partial<ComponentReport>): ComponentReport => ({
  name: "database",
  label: "Database",
  product: "PostgreSQL 17",
  mode: "external",
  status: "works",
  in_use_since: null,
  last_success_at: new Date("2026-11-20T03:00:00Z"),
  last_failure_at: null,
  message: "A row was written, read and rolled back.",
  details: null,
  queue: null,
  ...more,
});
const backup: BackupReport = {
  state: "verified",
  last_verified_at: new Date("2026-11-20T03:00:00Z"),
  compared_tables: 48,
  compared_rows: 1_204_611,
  bytes: 1_800_000,
  last_failure: null,
  place: "/srv/backups",
  keep: 7,
  next_at: new Date("2026-11-21T02:41:00Z"),
};
const items = [
  component({}),
  component({
    name: "email",
    label: "Email",
    status: "failing",
    message: "No answer from mail.example.com: the connection was refused.",
    details: "connect ECONNREFUSED",
    last_success_at: null,
    queue: { waiting: 3, oldest_at: new Date(Date.now() - 4 * minuteMs) },
  }),
  component({ name: "sms", label: "Text messages", status: "not_set_up", mode: "embedded", last_success_at: null }),
];
const row = (name: string) => within(screen.getByRole("listitem", { name }));

beforeEach(() => {
  server.list = { data: { items, backup }, error: null };
  server.test = { data: undefined, error: null, isPending: false, variables: undefined };
  server.pressed.mockReset();
});

test("shows each component's state, queue and test, and no test if it is not set up", () => {
  renderInMantine(<ComponentsPage />);
  expect(screen.getByText(/Email: failing\./)).toBeTruthy();
  expect(row("Email").getByText("3 waiting, the oldest for 4 minutes.")).toBeTruthy();
  expect(row("Email").getByText("connect ECONNREFUSED").closest("details")).toBeTruthy();
  expect(row("Email").getByText("never")).toBeTruthy();
  expect(row("Text messages").queryByRole("button")).toBeNull();
  press("Test Database");
  expect(server.pressed).toHaveBeenLastCalledWith({ name: "database" });
  press("Email me");
  expect(server.pressed).toHaveBeenLastCalledWith({ name: "email", send_email: true });
});

test("starts no second test while one runs, and announces the outcome", () => {
  server.test = { data: undefined, error: null, isPending: true, variables: { name: "database" } };
  const { unmount } = renderInMantine(<ComponentsPage />);
  expect(row("Database").getByRole("button", { name: "Test Database" }).textContent).toBe("Testing...");
  press("Test Email");
  expect(server.pressed).not.toHaveBeenCalled();
  unmount();
  const data = { ok: false, message: "No answer.", took_ms: 1_400, at: "2026-11-20T03:00:00Z" };
  server.test = { data, error: null, isPending: false, variables: { name: "email" } };
  renderInMantine(<ComponentsPage />);
  press("Test Email");
  expect(screen.getByText("Email: fails").closest("[role=status]")?.textContent).toMatch(
    /No answer\. Tested in 1\.4 s/,
  );
});

test.each([
  [{ state: "verified" as const }, /48 tables, 1,204,611 rows, equal/],
  [{ state: "late" as const }, /more than 8 days ago/],
  [{ state: "failed" as const }, /could not be restored/],
  [{ state: "none" as const, place: null, last_verified_at: null }, /Set BACKUP_DIR/],
])("shows the backups first: %j", (more, words) => {
  server.list = { data: { items, backup: { ...backup, ...more } }, error: null };
  renderInMantine(<ComponentsPage />);
  const panel = screen.getByRole("region", { name: "Backup" });
  expect(within(panel).getByText(words)).toBeTruthy();
  expect(panel.dataset["bad"]).toBe(["late", "failed"].includes(more.state) ? "true" : undefined);
});

test("reports a list that failed to load, and announces loading", () => {
  server.list = { data: undefined, error: apiError("unavailable", "The database does not answer.") };
  const { unmount } = renderInMantine(<ComponentsPage />);
  expect(screen.getByText("The components could not be loaded")).toBeTruthy();
  unmount();
  server.list = { data: undefined, error: null };
  renderInMantine(<ComponentsPage />);
  expect(screen.getByText("Loading the components")).toBeTruthy();
});
