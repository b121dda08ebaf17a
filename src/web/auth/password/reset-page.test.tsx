import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import Reset from "./reset-page.tsx";

const auth = vi.hoisted(() => ({ updateUser: vi.fn(), reauthenticate: vi.fn(), load: vi.fn() }));
vi.mock("../../lib/auth/session.ts", () => ({
  authClient: async () => {
    await auth.load();
    return auth;
  },
  useSession: () => ({
    phase: "signed-in",
    session: { user: { email: "ines@example.org", user_metadata: {}, app_metadata: {} } },
  }),
}));
vi.mock("../../dashboard/use-hosted-auth.ts", () => ({ useHostedAuth: () => false }));

test("keeps at the form why a password or a code is refused", async () => {
  const user = userEvent.setup();
  const Page = createRoutesStub([
    { path: "/", Component: Reset },
    { path: "/dashboard", Component: () => <p>Saved</p> },
  ]);
  render(<Page />);
  const save = () => user.click(screen.getByRole("button", { name: "Save the new password" }));
  auth.updateUser.mockResolvedValueOnce({ error: { code: "weak_password", message: "This password has leaked." } });
  await user.type(screen.getByLabelText("New password"), "correct horse battery");
  await save();
  expect((await screen.findByRole("alert")).textContent).toBe("This password has leaked.");
  auth.load.mockRejectedValueOnce(new Error("The server could not be reached."));
  await save();
  expect((await screen.findByRole("alert")).textContent).toBe("The server could not be reached.");
  auth.updateUser.mockResolvedValueOnce({ error: { code: "reauthentication_needed", message: "" } });
  auth.reauthenticate.mockResolvedValue({ error: null });
  await save();
  await user.type(await screen.findByLabelText("Code from our email"), "123456");
  expect(screen.queryByRole("alert")).toBeNull();
  auth.updateUser.mockResolvedValueOnce({ error: { code: "otp_expired", message: "" } });
  await save();
  expect((await screen.findByRole("alert")).textContent).toMatch(/^This code is wrong or has expired/);
  auth.updateUser.mockResolvedValueOnce({ error: null });
  await save();
  await screen.findByText("Saved");
});
