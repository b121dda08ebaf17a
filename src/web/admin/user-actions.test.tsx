import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { roles } from "#users/rules.ts";
import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { UserListItem } from "../lib/api/users.ts";
import { type AccessAction, UserMenu } from "./user-actions.tsx";

const server = vi.hoisted(() => {
  const state: { calls: unknown[]; errors: unknown[] } = { calls: [], errors: [] };
  const command = (name: string) => () => ({
    isPending: false,
    mutateAsync: async (input: unknown) => {
      state.calls.push([name, input]);
      const failure = state.errors.shift();
      if (failure) throw failure;
    },
  });
  return { state, command };
});
vi.mock("../lib/api/users.ts", () => ({
  useSuspend: server.command("suspend"),
  useEndUserSessions: server.command("end"),
  useRestore: server.command("restore"),
  useResetSecondFactor: server.command("reset"),
}));
vi.mock("../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
const { state } = server;

const user: UserListItem = {
  userId: "3e0c5a52-7a1c-4c1a-9c9b-0d6a4b1f7a11",
  name: "Mara Lindqvist",
  email: "mara@example.org",
  role: "promoter",
  emailVerified: true,
  hasSecondFactor: true,
  suspended: false,
  suspendedReason: null,
  createdAt: "2026-10-04T12:00:00.000Z",
  lastSeenAt: null,
};
beforeEach(() => {
  state.calls = [];
  state.errors = [];
});

const labels: Record<AccessAction, string> = {
  suspend: "Suspend…",
  restore: "Restore…",
  reset: "Reset two-factor…",
  end: "Sign out…",
};

async function open(action: AccessAction, who: UserListItem = user): Promise<void> {
  renderInMantine(<UserMenu user={who} ownId="another" />);
  press(`Actions: ${who.name}`);
  fireEvent.click(await screen.findByRole("menuitem", { name: labels[action] }));
  await screen.findByRole("dialog");
}
const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("sends a suspension with its trimmed reason and closes the dialog", async () => {
  await open("suspend");
  expect(screen.getByText("mara@example.org")).toBeTruthy();
  type("Reason", "  Fake bookings ");
  press("Suspend");
  await closed();
  expect(state.calls).toEqual([["suspend", { userId: user.userId, reason: "Fake bookings" }]]);
});

test("shows a server error in the dialog, which stays open with the input", async () => {
  state.errors = [apiError("conflict", "This is the last admin, who cannot be suspended.")];
  await open("suspend");
  type("Reason", "No longer with us");
  press("Suspend");
  expect((await screen.findByRole("alert")).textContent).toBe("This is the last admin, who cannot be suspended.");
  expect(screen.getByDisplayValue("No longer with us")).toBeTruthy();
});

test("requests the admin's own password for a reset only if the server requires it", async () => {
  state.errors = [apiError("reauthentication_needed", "Enter your password again to continue.")];
  await open("reset");
  type("Reason", "Lost phone, called back");
  press("Reset two-factor");
  await screen.findByLabelText("Your own password");
  expect(screen.queryByRole("alert")).toBeNull();
  press("Reset two-factor");
  await screen.findByText("Confirm with your password, or with a code of six figures.");
  type("Your own password", "a quiet lamp backstage");
  press("Reset two-factor");
  await closed();
  expect(state.calls.at(-1)).toEqual([
    "reset",
    { userId: user.userId, reason: "Lost phone, called back", password: "a quiet lamp backstage" },
  ]);
});

test("shows the suspension reason when restoring, and requires no reason", async () => {
  await open("restore", { ...user, suspended: true, suspendedReason: "Fake bookings" });
  expect(screen.getByText("Suspended because: Fake bookings")).toBeTruthy();
  expect(screen.queryByLabelText("Reason")).toBeNull();
  press("Restore");
  await closed();
  expect(state.calls).toEqual([["restore", { userId: user.userId }]]);
});

test("offers the possible actions: only roles for oneself, a reset only for a user with a factor", async () => {
  const items = async (shown: UserListItem, ownId: string) => {
    renderInMantine(<UserMenu user={shown} ownId={ownId} />);
    press(`Actions: ${user.name}`);
    return within(await screen.findByRole("menu"))
      .getAllByRole("menuitem")
      .map((one) => one.textContent);
  };
  const toOtherRoles = roles.filter((role) => role !== user.role).map((role) => `Change role to ${role}…`);
  expect(await items(user, user.userId)).toEqual(toOtherRoles);
  cleanup();
  expect(await items(user, "another")).toEqual([...toOtherRoles, "Reset two-factor…", "Sign out…", "Suspend…"]);
  fireEvent.click(screen.getByRole("menuitem", { name: "Reset two-factor…" }));
  await screen.findByRole("dialog", { name: "Reset two-factor sign-in" });
  cleanup();
  expect(await items({ ...user, hasSecondFactor: false, suspended: true }, "another")).toEqual([
    ...toOtherRoles,
    "Restore…",
  ]);
});

test("shows a message at the field and sends nothing if a suspension has no reason", async () => {
  await open("suspend");
  press("Suspend");
  expect(await screen.findByText(/^Enter a reason/)).toBeTruthy();
  expect(screen.getByLabelText("Reason").getAttribute("aria-invalid")).toBe("true");
  expect(state.calls).toEqual([]);
});
