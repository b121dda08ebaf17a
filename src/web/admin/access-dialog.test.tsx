import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Person } from "../lib/api/users.ts";
import { AccessDialog, type AccessAction } from "./access-dialog.tsx";
import { UserActions, SuspendedState } from "./user-actions.tsx";

const server = vi.hoisted(() => {
  const state: { calls: unknown[]; refusals: unknown[] } = { calls: [], refusals: [] };
  const command = (name: string) => () => ({
    isPending: false,
    mutateAsync: async (input: unknown) => {
      state.calls.push([name, input]);
      const refusal = state.refusals.shift();
      if (refusal) throw refusal;
    },
  });
  return { state, command };
});
vi.mock("../lib/api/users.ts", () => ({
  useSuspend: server.command("suspend"),
  useRestore: server.command("restore"),
  useResetSecondFactor: server.command("reset"),
}));
vi.mock("../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../lib/auth/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
const { state } = server;

const refusal = (code: string, message: string) =>
  Object.assign(new Error(message), { status: 403, code, data: { code, message } });
const person: Person = {
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
const onClose = vi.fn();

beforeEach(() => {
  state.calls = [];
  state.refusals = [];
  onClose.mockClear();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

const show = (command: AccessAction, who: Person = person) =>
  render(
    <MantineProvider env="test">
      <AccessDialog change={{ person: who, command }} onClose={onClose} />
    </MantineProvider>,
  );
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("a suspension goes out with its trimmed reason and closes the dialog", async () => {
  show("suspend");
  expect(screen.getByText("mara@example.org")).toBeTruthy();
  type("Reason", "  Fake bookings ");
  press("Suspend");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(state.calls).toEqual([["suspend", { userId: person.userId, reason: "Fake bookings" }]]);
});

test("a refusal of the server is shown in the dialog, which stays open with what was typed", async () => {
  state.refusals = [refusal("conflict", "This is the last admin, who cannot be suspended.")];
  show("suspend");
  type("Reason", "No longer with us");
  press("Suspend");
  expect((await screen.findByRole("alert")).textContent).toBe("This is the last admin, who cannot be suspended.");
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByDisplayValue("No longer with us")).toBeTruthy();
});

test("a reset asks for the admin's own password only once the server wants it", async () => {
  state.refusals = [refusal("reauthentication_needed", "Please enter your password again to go on.")];
  show("reset");
  type("Reason", "Lost phone, called back");
  press("Reset two-factor");
  await screen.findByLabelText("Your own password");
  expect(screen.queryByRole("alert")).toBeNull();
  type("Your own password", "a quiet lamp backstage");
  press("Reset two-factor");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(state.calls.at(-1)).toEqual([
    "reset",
    { userId: person.userId, reason: "Lost phone, called back", password: "a quiet lamp backstage" },
  ]);
});

test("a restoration reminds of the reason and needs none", async () => {
  show("restore", { ...person, suspended: true, suspendedReason: "Fake bookings" });
  expect(screen.getByText("Suspended because: Fake bookings")).toBeTruthy();
  expect(screen.queryByLabelText("Reason")).toBeNull();
  press("Restore");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(state.calls).toEqual([["restore", { userId: person.userId }]]);
});

test("a row offers what can be done: nothing to oneself, a reset only where there is a factor", () => {
  const onAccess = vi.fn();
  const { rerender } = render(<UserActions person={person} ownId={person.userId} onAccess={onAccess} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<UserActions person={person} ownId="another" onAccess={onAccess} />);
  press("Reset two-factor: Mara Lindqvist");
  expect(onAccess).toHaveBeenCalledWith({ person, command: "reset" });
  const suspended = { ...person, hasSecondFactor: false, suspended: true, suspendedReason: "Fake bookings" };
  rerender(
    <>
      <SuspendedState person={suspended} />
      <UserActions person={suspended} ownId="another" onAccess={onAccess} />
    </>,
  );
  expect(screen.getByText("Suspended")).toBeTruthy();
  expect(screen.getAllByRole("button").map((one) => one.textContent)).toEqual(["Restore"]);
});
