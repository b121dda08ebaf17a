import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

// First, because it mocks modules.
import { auth, lastToast, ok } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { PasswordSection } from "./password-section.tsx";

const fieldOf = (label: string) => screen.getByLabelText(label).closest(".mantine-InputWrapper-root")?.textContent;

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
