import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { press, apiError, renderInMantine, type } from "../test-providers.tsx";
import { withReauthentication } from "./reauthentication-dialog.tsx";

const auth = vi.hoisted(() => ({ reauthenticate: vi.fn() }));
const api = vi.hoisted(() => ({ reauthenticate: vi.fn() }));
let me = { id: "1", name: "Ines", email: "ines@example.org", role: "promoter", hasPassword: true, hosted: false };
vi.mock("../../lib/api/account.ts", () => api);
vi.mock("../../lib/auth/session.ts", () => ({ authClient: async () => auth }));
vi.mock("../../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "known", me }) }));

const work = vi.fn<() => Promise<void>>();
const ended = vi.fn();
const needed = () => apiError("reauthentication_needed", "Enter your password again to continue.");
const wrong = () => apiError("reauthentication_not_valid", "The password is wrong.");

const Act = () => (
  <button type="button" onClick={() => void withReauthentication(work).then(ended, ended)}>
    Act
  </button>
);

beforeEach(() => {
  vi.resetAllMocks();
  me = { ...me, hasPassword: true, hosted: false };
  api.reauthenticate.mockResolvedValue({});
  auth.reauthenticate.mockResolvedValue({ error: null });
});

test("runs an action that needs no reauthentication without a dialog", async () => {
  work.mockResolvedValue();
  renderInMantine(<Act />);
  press("Act");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
  expect(work).toHaveBeenCalledOnce();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("requests the password if the server requires reauthentication, and shows a wrong one at the field", async () => {
  work.mockRejectedValueOnce(needed()).mockResolvedValueOnce();
  api.reauthenticate.mockRejectedValueOnce(wrong());
  renderInMantine(<Act />);
  press("Act");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  expect(screen.getByRole("button", { name: "Continue" }).hasAttribute("disabled")).toBe(true);
  type("Your own password", "not the password");
  press("Continue");
  expect(await screen.findByText("The password is wrong.")).toBeTruthy();
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
  expect(work).toHaveBeenCalledTimes(2);
  expect(api.reauthenticate.mock.calls.map(([given]) => given as object)).toEqual([
    { password: "not the password" },
    { password: "a quiet lamp backstage" },
  ]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("offers an account without a password only an emailed code", async () => {
  me = { ...me, hasPassword: false };
  work.mockRejectedValueOnce(needed()).mockResolvedValueOnce();
  renderInMantine(<Act />);
  press("Act");
  fireEvent.click(await screen.findByRole("button", { name: "Send the code" }));
  await screen.findByText("Sent to ines@example.org.");
  expect(screen.queryByLabelText("Your own password")).toBeNull();
  expect(screen.queryByRole("button", { name: /password instead/ })).toBeNull();
  type("Confirmation code", "482 913");
  press("Continue");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
  expect(api.reauthenticate).toHaveBeenLastCalledWith({ code: "482913" });
  expect(auth.reauthenticate).toHaveBeenCalledOnce();
});

test("offers the code to an account with a password, and does not send the typed password", async () => {
  work.mockRejectedValueOnce(needed()).mockResolvedValueOnce();
  renderInMantine(<Act />);
  press("Act");
  await screen.findByRole("dialog");
  type("Your own password", "half a passw");
  press("Use a code from an email instead");
  expect(screen.getByRole("button", { name: "Continue" }).hasAttribute("disabled")).toBe(true);
  press("Send the code");
  await screen.findByLabelText("Confirmation code");
  type("Confirmation code", "482913");
  press("Continue");
  await waitFor(() => expect(api.reauthenticate.mock.calls).toEqual([[{ code: "482913" }]]));
});

test("offers only the password with a hosted service, whose codes our server cannot verify", async () => {
  me = { ...me, hosted: true };
  work.mockRejectedValueOnce(needed()).mockResolvedValueOnce();
  renderInMantine(<Act />);
  press("Act");
  await screen.findByRole("dialog");
  expect(screen.queryByRole("button", { name: "Use a code from an email instead" })).toBeNull();
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(true));
  expect(api.reauthenticate).toHaveBeenCalledExactlyOnceWith({ password: "a quiet lamp backstage" });
});

test("runs nothing else after Cancel", async () => {
  work.mockRejectedValueOnce(needed());
  renderInMantine(<Act />);
  press("Act");
  await screen.findByRole("dialog");
  press("Cancel");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(false));
  expect(work).toHaveBeenCalledOnce();
});

test("passes other errors to the caller, before and after reauthentication", async () => {
  const conflict = apiError("conflict", "You have bookings that are not finished.", 409);
  work.mockRejectedValueOnce(conflict);
  renderInMantine(<Act />);
  press("Act");
  await waitFor(() => expect(ended).toHaveBeenCalledWith(conflict));
  work.mockRejectedValueOnce(needed()).mockRejectedValueOnce(conflict);
  press("Act");
  await screen.findByRole("dialog");
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
  expect(ended).toHaveBeenLastCalledWith(conflict);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
