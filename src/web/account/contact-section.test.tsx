import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

// First, because it mocks modules.
import { auth, lastToast, ok, server, user } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { currentToasts } from "../lib/toasts.ts";
import { ContactSection } from "./contact-section.tsx";

test("saves a new number after the reauthentication that the server requires, and removes an emptied one", async () => {
  auth.updateUser
    .mockResolvedValueOnce({ error: apiError("reauthentication_needed", "Please prove yourself.", 400) })
    .mockResolvedValue(ok);
  auth.reauthenticate.mockResolvedValue(ok);
  const first = renderInMantine(<ContactSection user={user} />);
  type("Phone (optional)", "+1 512 555 0148");
  press("Save Changes");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(lastToast()).toMatchObject({ text: "Enter the code that we sent to your phone." }));
  expect(server.reauthenticate).toHaveBeenLastCalledWith({ password: "a quiet lamp backstage" });
  expect(auth.updateUser).toHaveBeenLastCalledWith({ phone: "+1 512 555 0148" });
  first.unmount();
  renderInMantine(<ContactSection user={{ ...user, phone: "15125550148" }} />);
  type("Phone (optional)", "");
  press("Save Changes");
  await waitFor(() => expect(lastToast()).toMatchObject({ text: "Your phone number is removed." }));
  expect(auth.updateUser).toHaveBeenLastCalledWith({ phone: "" });
});

test("does not send an unchanged form, and leaves the address unchanged if the name is rejected", async () => {
  renderInMantine(<ContactSection user={user} />);
  expect(screen.getByRole("button", { name: "Save Changes" }).hasAttribute("disabled")).toBe(true);
  auth.updateUser.mockResolvedValueOnce({ error: apiError("validation_failed", "This name is too long.", 400) });
  type("Full name", "Ines Okoro");
  type("Email", "ines@new.example");
  press("Save Changes");
  expect(await screen.findByText("This name is too long.")).toBeTruthy();
  expect(screen.getByLabelText("Full name").getAttribute("aria-invalid")).toBe("true");
  expect(lastToast()).toBeUndefined();
  expect(auth.updateUser).toHaveBeenCalledOnce();
});

test("reports a new name and a new address in one message, and shows the address that is still in use", async () => {
  auth.updateUser.mockResolvedValue(ok);
  renderInMantine(<ContactSection user={user} />);
  type("Full name", "Ines Okoro");
  type("Email", "ines@new.example");
  press("Save Changes");
  await waitFor(() => expect(currentToasts()).toHaveLength(1));
  expect(lastToast()?.text).toBe(
    "Your name has been changed. Open the links in the emails to your old and your new address.",
  );
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ines@example.org");
});

test("shows an invalid name, address or number at its field and sends nothing", async () => {
  renderInMantine(<ContactSection user={user} />);
  type("Full name", " ");
  type("Email", "ines@nowhere");
  type("Phone (optional)", "call me");
  press("Save Changes");
  for (const message of [/^Enter your full name/, /no ending such as \.com/, /^This is not a phone number/])
    expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Full name"));
  type("Email", "");
  press("Save Changes");
  expect(await screen.findByText("Enter your email address.")).toBeTruthy();
  expect(auth.updateUser).not.toHaveBeenCalled();
});

test("withdraws a pending change of address, and resends its email after a wait", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  auth.updateUser.mockResolvedValue(ok);
  auth.resend.mockResolvedValue(ok);
  renderInMantine(<ContactSection user={{ ...user, new_email: "ines@new.example" }} />);
  expect(screen.getByText(/ines@new\.example is not confirmed yet/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Send it again in \d+ s$/ }).hasAttribute("disabled")).toBe(true);
  await vi.advanceTimersByTimeAsync(61_000);
  press("Send it again");
  await waitFor(() => expect(auth.resend).toHaveBeenCalledWith({ type: "email_change", email: "ines@new.example" }));
  await screen.findByRole("button", { name: /^Send it again in (60|59) s$/ });
  press("Withdraw the change");
  await waitFor(() => expect(lastToast()).toMatchObject({ text: "Your address is still ines@example.org." }));
  expect(auth.updateUser).toHaveBeenCalledWith({ email: "ines@example.org" });
  vi.useRealTimers();
});

test("verifies a pending number by its code, and empties the field after a wrong one", async () => {
  auth.verifyOtp
    .mockResolvedValueOnce({ error: apiError("otp_expired", "Token has expired or is invalid") })
    .mockResolvedValueOnce(ok);
  renderInMantine(<ContactSection user={{ ...user, new_phone: "15125550148" }} />);
  const label = "Code from the message to +15125550148";
  type(label, "000000");
  press("Confirm");
  expect(await screen.findByText(/^This code is wrong or has expired/)).toBeTruthy();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(""));
  type(label, "482913");
  press("Confirm");
  await waitFor(() => expect(lastToast()).toMatchObject({ text: "Your phone number is confirmed." }));
  expect(auth.verifyOtp).toHaveBeenLastCalledWith({ phone: "+15125550148", token: "482913", type: "phone_change" });
});
