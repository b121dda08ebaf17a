import type { Factor } from "@supabase/auth-js";
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

// First, because it mocks modules.
import { auth, lastToast, ok, server } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { FactorSection } from "./two-factor-section.tsx";

const factor = (id: string, name: string) =>
  ({ id, friendly_name: name, factor_type: "totp", status: "verified", created_at: "2026-11-20T12:00:00Z" }) as Factor;

test("lists authenticators by name, and confirms and reauthenticates before it removes one", async () => {
  const onChange = vi.fn(async () => undefined);
  auth.mfa.unenroll
    .mockResolvedValueOnce({ error: apiError("reauthentication_needed", "Please prove yourself.") })
    .mockResolvedValueOnce(ok);
  const phone = factor("f1", "My phone");
  renderInMantine(<FactorSection factors={[phone, factor("f2", "")]} isRequired={false} onChange={onChange} />);
  expect(screen.getByText("Authenticator app")).toBeTruthy();
  press("Remove My phone");
  await screen.findByRole("dialog", { name: "Remove this authenticator" });
  expect(auth.mfa.unenroll).not.toHaveBeenCalled();
  press("Remove");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(lastToast()).toMatchObject({ text: "My phone is removed." });
  expect(server.reauthenticate).toHaveBeenLastCalledWith({ password: "a quiet lamp backstage" });
  expect(auth.mfa.unenroll).toHaveBeenLastCalledWith({ factorId: "f1" });
});

test("warns that removing the only authenticator ends two-factor sign-in", async () => {
  auth.mfa.unenroll.mockResolvedValueOnce(ok);
  renderInMantine(
    <FactorSection factors={[factor("f1", "My phone")]} isRequired={false} onChange={async () => undefined} />,
  );
  press("Remove My phone");
  await screen.findByRole("dialog", { name: "Turn two-factor sign-in off" });
  press("Turn off");
  await waitFor(() => expect(lastToast()).toMatchObject({ text: "Two-factor sign-in is off." }));
});

test("gives a second authenticator its own name, and creates no new recovery codes", async () => {
  const onChange = vi.fn(async () => undefined);
  const uri = "otpauth://totp/Stagedoor:bo@example.test?secret=ABCDEFGHIJKLMNOP";
  const totp = { qr_code: "data:image/svg+xml;utf-8,<svg/>", secret: "ABCDEFGHIJKLMNOP", uri };
  auth.mfa.enroll
    .mockResolvedValueOnce({ data: null, error: apiError("mfa_factor_name_conflict", "This name exists already", 422) })
    .mockResolvedValueOnce({ data: { id: "f2", totp }, error: null });
  auth.mfa.challengeAndVerify.mockResolvedValue(ok);
  renderInMantine(
    <FactorSection factors={[factor("f1", "Authenticator app")]} isRequired={false} onChange={onChange} />,
  );
  press("Add another");
  expect(screen.getByLabelText<HTMLInputElement>("Name of the authenticator").value).toBe("Authenticator app 2");
  press("Continue");
  expect(await screen.findByText("This name exists already")).toBeTruthy();
  type("Name of the authenticator", "Work phone");
  press("Continue");
  await screen.findByText(/ABCD EFGH IJKL MNOP/);
  expect(screen.getByRole("link", { name: "Open in your authenticator app" }).getAttribute("href")).toBe(uri);
  expect(document.activeElement).toBe(await screen.findByLabelText("Type the code it shows"));
  press("Turn on");
  await screen.findByText("Enter all 6 digits of the code.", { selector: "[aria-live=polite]" });
  type("Type the code it shows", "482913");
  press("Turn on");
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(lastToast()).toMatchObject({ text: "Work phone is added." });
  expect(auth.mfa.recoveryCodes.generate).not.toHaveBeenCalled();
});

test("requests a second factor from an admin who has none", () => {
  renderInMantine(<FactorSection factors={[]} isRequired onChange={async () => undefined} />);
  expect(screen.getByText(/You are an admin/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Set up" })).toBeTruthy();
});

test("mentions older recovery codes only when new ones replace them", async () => {
  const codes = { data: { codes: ["abcd-efgh"] }, error: null };
  auth.mfa.recoveryCodes.generate.mockResolvedValueOnce(codes);
  auth.mfa.recoveryCodes.regenerate.mockResolvedValueOnce(codes);
  const totp = { qr_code: "data:image/svg+xml;utf-8,<svg/>", secret: "ABCDEFGHIJKLMNOP" };
  auth.mfa.enroll.mockResolvedValueOnce({ data: { id: "f1", totp }, error: null });
  auth.mfa.challengeAndVerify.mockResolvedValueOnce(ok);
  const section = (factors: Factor[]) => (
    <FactorSection factors={factors} isRequired={false} onChange={async () => undefined} />
  );
  const { unmount } = renderInMantine(section([]));
  press("Set up");
  press("Continue");
  await screen.findByText(/ABCD EFGH IJKL MNOP/);
  type("Type the code it shows", "482913");
  press("Turn on");
  expect((await screen.findByText(/They are not shown again/)).textContent).toMatch(
    /^Two-factor sign-in is on\. .* again\.$/,
  );
  expect(lastToast()).toBeUndefined();
  unmount();
  renderInMantine(section([factor("f1", "My phone")]));
  press("New recovery codes");
  await screen.findByText(/They are not shown again, and older ones are void\.$/);
});
