import type { Factor, User } from "@supabase/auth-js";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { press, apiError, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { ActiveSession } from "../lib/api/account.ts";
import { closeToast, toastsNow } from "../lib/toasts.ts";
import { ContactSection } from "./contact-section.tsx";
import { DeleteSection, ExportSection } from "./personal-data-section.tsx";
import { FactorSection } from "./two-factor-section.tsx";
import { FirstAdminSection } from "./first-admin-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

const auth = vi.hoisted(() => ({
  updateUser: vi.fn(),
  resend: vi.fn(),
  verifyOtp: vi.fn(),
  reauthenticate: vi.fn(),
  signOut: vi.fn(),
  mfa: {
    enroll: vi.fn(),
    unenroll: vi.fn(),
    challengeAndVerify: vi.fn(),
    recoveryCodes: { generate: vi.fn(), regenerate: vi.fn(), getStatus: vi.fn() },
  },
}));
const server = vi.hoisted(() => ({
  readMyData: vi.fn(),
  deleteAccount: vi.fn(),
  reauthenticate: vi.fn(),
  endSession: vi.fn(),
  becomeFirstAdmin: vi.fn(),
  refetch: vi.fn(),
  signOut: vi.fn(),
}));
let me: object = {};
let obstacle: "open_bookings" | null = null;
let sessionsQuery: { data?: { items: ActiveSession[] } | undefined; error: Error | null } = { error: null };
vi.mock("../lib/auth/session.ts", () => ({ authClient: async () => auth, signOut: server.signOut }));
vi.mock("../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "known", me }) }));
vi.mock("../lib/api/query.ts", () => ({ orpc: { users: { me: { key: () => ["me"] } } } }));
vi.mock("../lib/api/users.ts", () => ({
  useBecomeFirstAdmin: () => ({ isPending: false, mutateAsync: server.becomeFirstAdmin }),
}));
vi.mock("../lib/api/account.ts", () => ({
  useExport: () => ({ mutateAsync: server.readMyData }),
  reauthenticate: server.reauthenticate,
  useDeleteAccount: () => ({ isPending: false, mutateAsync: server.deleteAccount }),
  useDeletionObstacle: () => ({ data: { obstacle }, isFetching: false }),
  useActiveSessions: () => ({ ...sessionsQuery, refetch: server.refetch }),
  useEndSession: () => ({ isPending: false, mutateAsync: server.endSession }),
}));

const ok = { error: null };
const currentUser = { name: "Ines", email: "ines@example.org", role: "promoter", hasPassword: true };
const user = { email: "ines@example.org", phone: "", user_metadata: { name: "Ines" } } as unknown as User;
const session: ActiveSession = {
  id: "s1",
  device: "Chrome on Linux",
  ip: "203.0.113.7",
  place: "From 203.0.113.7, same network as now",
  current: true,
  assuranceLevel: "aal1",
  signedInAt: "2026-11-20T12:00:00.000Z",
  lastUsedAt: "2026-11-20T12:00:00.000Z",
};
const factor = (id: string, name: string) =>
  ({ id, friendly_name: name, factor_type: "totp", status: "verified", created_at: "2026-11-20T12:00:00Z" }) as Factor;
const lastToast = () => toastsNow().at(-1);

beforeEach(() => {
  vi.resetAllMocks();
  for (const toast of toastsNow()) closeToast(toast.id);
  me = currentUser;
  sessionsQuery = { error: null };
  obstacle = null;
});

test("shows a loading state, then lists each device with its network, and signs out another one", async () => {
  const first = renderInMantine(<SessionsSection />);
  expect(screen.getByRole("status", { name: "Loading" })).toBeTruthy();
  first.unmount();
  sessionsQuery = {
    data: { items: [session, { ...session, id: "s2", device: "Safari on iOS", current: false }] },
    error: null,
  };
  renderInMantine(<SessionsSection />);
  expect(
    screen.getAllByText(/From 203\.0\.113\.7, same network as now\. Signed in Fri 20 Nov, .*\. Last used/),
  ).toHaveLength(2);
  expect(screen.getByText("This device")).toBeTruthy();
  server.endSession.mockRejectedValueOnce(apiError("not_found", "This session has ended already.", 404));
  press("Sign out Safari on iOS");
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "error", text: "This session has ended already." }));
  expect(server.endSession).toHaveBeenCalledWith({ sessionId: "s2" });
});

test("signs out the other sessions first, after reauthentication if the server requires it", async () => {
  sessionsQuery = { data: { items: [session] }, error: null };
  auth.signOut
    .mockResolvedValueOnce({ error: apiError("reauthentication_needed", "Enter your password again.", 400) })
    .mockResolvedValueOnce(ok);
  renderInMantine(<SessionsSection />);
  press("Sign out everywhere");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  expect(server.signOut).not.toHaveBeenCalled();
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(server.signOut).toHaveBeenCalledOnce());
  expect(server.reauthenticate).toHaveBeenCalledWith({ password: "a quiet lamp backstage" });
  expect(auth.signOut).toHaveBeenLastCalledWith({ scope: "others" });
});

test("reports sessions that failed to load with Retry, and still offers to sign out everywhere", () => {
  sessionsQuery = { error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<SessionsSection />);
  expect(screen.getByRole("alert").textContent).toContain("Your sessions could not be loaded");
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Sign out everywhere" })).toBeTruthy();
});

test("sends the operator's token trimmed, shows a wrong one at the field, and renders nothing without a token or for an admin", async () => {
  expect(renderInMantine(<FirstAdminSection />).container.textContent).toBe("");
  me = { ...currentUser, firstAdminTokenWaits: true };
  const first = renderInMantine(<FirstAdminSection />);
  server.becomeFirstAdmin.mockRejectedValueOnce(apiError("operator_token_invalid", "This token is wrong."));
  type("Token", "  abc ");
  press("Become admin");
  expect(await screen.findByText("This token is wrong.")).toBeTruthy();
  server.becomeFirstAdmin.mockResolvedValueOnce({});
  press("Become admin");
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "You are an admin now" }));
  expect(server.becomeFirstAdmin).toHaveBeenLastCalledWith({ token: "abc" });
  first.unmount();
  me = { ...currentUser, role: "admin", firstAdminTokenWaits: true };
  expect(renderInMantine(<FirstAdminSection />).container.textContent).toBe("");
});

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
  me = { ...currentUser, hasPassword: false };
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
  obstacle = "open_bookings";
  renderInMantine(<DeleteSection />);
  press("Delete account");
  const dialog = within(await screen.findByRole("dialog", { name: "Delete account" }));
  dialog.getByText(/^You have bookings that are not finished\./);
  expect(dialog.getByRole("link", { name: "View bookings" }).getAttribute("href")).toBe("/promoter/bookings");
  expect(dialog.queryByLabelText("Your own password")).toBeNull();
});

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
  await waitFor(() => expect(toastsNow()).toHaveLength(1));
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
  const totp = { qr_code: "data:image/svg+xml;utf-8,<svg/>", secret: "ABCDEFGHIJKLMNOP" };
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
  expect((await screen.findByText(/They are not shown again/)).textContent).toMatch(/again\.$/);
  unmount();
  renderInMantine(section([factor("f1", "My phone")]));
  press("New recovery codes");
  await screen.findByText(/They are not shown again, and older ones are void\.$/);
});
