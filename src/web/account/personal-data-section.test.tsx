import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

// First, because it mocks modules.
import { auth, currentUser, found, lastToast, ok, server } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { DeleteSection, ExportSection } from "./personal-data-section.tsx";

test("requires reauthentication for the export if the server does, and saves no file without it", async () => {
  const written = vi.fn(() => "blob:1");
  Object.assign(URL, { createObjectURL: written, revokeObjectURL: vi.fn() });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  server.readMyData
    .mockRejectedValueOnce(apiError("reauthentication_needed", "Enter your password again to continue."))
    .mockResolvedValueOnce("{}");
  renderInMantine(<ExportSection />);
  press("Export data");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  expect(written).not.toHaveBeenCalled();
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(written).toHaveBeenCalledOnce());
  expect(server.reauthenticate).toHaveBeenLastCalledWith({ password: "a quiet lamp backstage" });
  server.readMyData.mockRejectedValueOnce(apiError("too_many", "Too many attempts.", 429));
  press("Export data");
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "error", text: "Too many attempts." }));
});

test("deletes an account without a password after an emailed code", async () => {
  found.me = { ...currentUser, hasPassword: false };
  auth.reauthenticate.mockResolvedValue(ok);
  server.deleteAccount
    .mockRejectedValueOnce(apiError("reauthentication_not_valid", "The code is wrong or has expired.", 422))
    .mockRejectedValueOnce(apiError("conflict", "You have bookings that are not finished.", 409))
    .mockResolvedValueOnce({});
  renderInMantine(<DeleteSection />);
  press("Delete account");
  const dialog = within(await screen.findByRole("dialog", { name: "Delete account" }));
  fireEvent.click(dialog.getByRole("button", { name: "Send the code" }));
  await screen.findByLabelText("Confirmation code");
  const go = dialog.getByRole("button", { name: "Delete account" });
  expect(go.hasAttribute("disabled")).toBe(true);
  type("Confirmation code", "482913");
  fireEvent.click(go);
  expect(await screen.findByText("The code is wrong or has expired.")).toBeTruthy();
  fireEvent.click(go);
  expect((await screen.findByRole("alert")).textContent).toBe("You have bookings that are not finished.");
  expect(server.signOut).not.toHaveBeenCalled();
  fireEvent.click(go);
  await waitFor(() => expect(server.signOut).toHaveBeenCalledOnce());
  expect(server.deleteAccount.mock.calls.map(([reauthentication]) => reauthentication as object)).toEqual(
    Array.from({ length: 3 }, () => ({ code: "482913" })),
  );
});

test("names open bookings with a link before it requests the password", async () => {
  found.obstacle = "open_bookings";
  renderInMantine(<DeleteSection />);
  press("Delete account");
  const dialog = within(await screen.findByRole("dialog", { name: "Delete account" }));
  dialog.getByText(/^You have bookings that are not finished\./);
  expect(dialog.getByRole("link", { name: "View bookings" }).getAttribute("href")).toBe("/promoter/bookings");
  expect(dialog.queryByLabelText("Your own password")).toBeNull();
});
