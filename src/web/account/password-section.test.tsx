import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { currentToasts } from "../lib/toasts.ts";
import { PasswordSection } from "./password-section.tsx";

const auth = vi.hoisted(() => ({ updateUser: vi.fn() }));
vi.mock("../lib/auth/session.ts", () => ({ authClient: async () => auth }));
vi.mock("../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
vi.mock("../lib/api/query.ts", () => ({ orpc: { users: { me: { key: () => ["me"] } } } }));
vi.mock("../lib/api/account.ts", () => ({ reauthenticate: vi.fn() }));

const ok = { error: null };
const fieldOf = (label: string) => screen.getByLabelText(label).closest(".mantine-InputWrapper-root")?.textContent;
const lastToast = () => currentToasts().at(-1);

beforeEach(() => vi.resetAllMocks());

test("requires the current password for a new one, and shows a wrong or weak one at its field", async () => {
  auth.updateUser
    .mockResolvedValueOnce({ error: apiError("reauthentication_not_valid", "The password is wrong.", 403) })
    .mockResolvedValueOnce({ error: apiError("weak_password", "This password is easy to guess.", 422) })
    .mockResolvedValueOnce(ok);
  renderInMantine(<PasswordSection email="ines@example.org" has />);
  type("Current password", "not the password");
  type("New password", "another door behind");
  press("Change Password");
  expect(await screen.findByText("The password is wrong.")).toBeTruthy();
  expect(fieldOf("Current password")).toContain("The password is wrong.");
  type("Current password", "a quiet lamp backstage");
  press("Change Password");
  expect(await screen.findByText("This password is easy to guess.")).toBeTruthy();
  expect(fieldOf("New password")).toContain("This password is easy to guess.");
  press("Change Password");
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Saved" }));
  expect(auth.updateUser).toHaveBeenLastCalledWith({
    password: "another door behind",
    current_password: "a quiet lamp backstage",
  });
});

test("offers to set a first password on an account without one", () => {
  renderInMantine(<PasswordSection email="ines@example.org" has={false} />);
  expect(screen.getByRole("button", { name: "Set Password" })).toBeTruthy();
});
