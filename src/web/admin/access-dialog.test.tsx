import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { UserListItem } from "../lib/api/users.ts";
import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { AccessAction } from "./access-dialog.tsx";
import { UserActions, SuspendedState } from "./user-actions.tsx";

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
};
beforeEach(() => {
  state.calls = [];
  state.errors = [];
});

const labels: Record<AccessAction, string> = {
  suspend: "Suspend",
  restore: "Restore",
  reset: "Reset two-factor",
  end: "Sign out everywhere",
};

/** Opens the dialog of an action from the row of a user. */
async function open(action: AccessAction, who: UserListItem = user): Promise<void> {
  renderInMantine(<UserActions user={who} ownId="another" />);
  press(`${labels[action]}: ${who.name}`);
  await screen.findByRole("dialog");
}
const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("a suspension goes out with its trimmed reason and closes the dialog", async () => {
  await open("suspend");
  expect(screen.getByText("mara@example.org")).toBeTruthy();
  type("Reason", "  Fake bookings ");
  press("Suspend");
  await closed();
  expect(state.calls).toEqual([["suspend", { userId: user.userId, reason: "Fake bookings" }]]);
});

test("an error of the server is shown in the dialog, which stays open with what was typed", async () => {
  state.errors = [apiError("conflict", "This is the last admin, who cannot be suspended.")];
  await open("suspend");
  type("Reason", "No longer with us");
  press("Suspend");
  expect((await screen.findByRole("alert")).textContent).toBe("This is the last admin, who cannot be suspended.");
  expect(screen.getByDisplayValue("No longer with us")).toBeTruthy();
});

test("a reset asks for the admin's own password only once the server wants it", async () => {
  state.errors = [apiError("reauthentication_needed", "Enter your password again to continue.")];
  await open("reset");
  type("Reason", "Lost phone, called back");
  press("Reset two-factor");
  await screen.findByLabelText("Your own password");
  expect(screen.queryByRole("alert")).toBeNull();
  type("Your own password", "a quiet lamp backstage");
  press("Reset two-factor");
  await closed();
  expect(state.calls.at(-1)).toEqual([
    "reset",
    { userId: user.userId, reason: "Lost phone, called back", password: "a quiet lamp backstage" },
  ]);
});

test("a restoration reminds of the reason and needs none", async () => {
  await open("restore", { ...user, suspended: true, suspendedReason: "Fake bookings" });
  expect(screen.getByText("Suspended because: Fake bookings")).toBeTruthy();
  expect(screen.queryByLabelText("Reason")).toBeNull();
  press("Restore");
  await closed();
  expect(state.calls).toEqual([["restore", { userId: user.userId }]]);
});

test("a row offers the possible actions: none on oneself, a reset only where there is a factor", async () => {
  renderInMantine(<UserActions user={user} ownId={user.userId} />);
  expect(screen.queryByRole("button")).toBeNull();
  cleanup();
  renderInMantine(<UserActions user={user} ownId="another" />);
  press("Reset two-factor: Mara Lindqvist");
  await screen.findByRole("dialog", { name: "Reset two-factor sign-in" });
  cleanup();
  const suspended = { ...user, hasSecondFactor: false, suspended: true, suspendedReason: "Fake bookings" };
  renderInMantine(
    <>
      <SuspendedState user={suspended} />
      <UserActions user={suspended} ownId="another" />
    </>,
  );
  expect(screen.getByText("Suspended")).toBeTruthy();
  expect(screen.getAllByRole("button").map((one) => one.textContent)).toEqual(["Restore"]);
});

test("a suspension without a reason is not sent: the message is shown at the field", async () => {
  await open("suspend");
  press("Suspend");
  expect(await screen.findByText(/^Enter a reason/)).toBeTruthy();
  expect(screen.getByLabelText("Reason").getAttribute("aria-invalid")).toBe("true");
  expect(state.calls).toEqual([]);
});
