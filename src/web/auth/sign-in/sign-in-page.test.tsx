import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { currentToasts } from "../../lib/toasts.ts";
import { SignInOrUp } from "./sign-in-page.tsx";

const auth = vi.hoisted(() => ({
  signInWithPasskey: vi.fn(),
  signInWithPassword: vi.fn(),
  signUp: vi.fn(),
  verifyOtp: vi.fn(),
  resend: vi.fn(),
}));
vi.mock("../../lib/auth/session.ts", () => ({
  authClient: async () => auth,
  // Returns a new object on each call, as after a session renewal.
  useSession: () => ({ ...session }),
}));
const session = vi.hoisted((): { phase: string; session?: object } => ({ phase: "signed-out" }));
const site = vi.hoisted(() => ({
  demo: true,
  demoAccounts: false,
  singleSignOn: null as string | null,
  passkeyHost: null as string | null,
}));
vi.mock("../../lib/site.ts", () => ({ useSite: () => site }));

beforeEach(() => {
  sessionStorage.clear();
  site.demoAccounts = false;
  site.singleSignOn = null;
  site.passkeyHost = null;
  vi.unstubAllGlobals();
  session.phase = "signed-out";
  vi.resetAllMocks();
  vi.spyOn(window, "scrollTo").mockReturnValue();
});

function show(at = "/auth") {
  const Stub = createRoutesStub([
    { path: "/auth", Component: SignInOrUp },
    { path: "/auth/reset", Component: () => <h1>Set a new password</h1> },
    { path: "/auth/code", Component: () => <h1>Enter your code</h1> },
    { path: "/", Component: () => <h1>Book Amazing Artists</h1> },
    { path: "/dashboard", Component: () => <p>Redirecting to your dashboard</p> },
    { path: "/admin/bookings", Component: () => <h1>Bookings</h1> },
  ]);
  render(<Stub initialEntries={[at]} />);
  return userEvent.setup();
}

const lastToast = () => currentToasts().at(-1);
const signedIn = { data: { user: { factors: [], app_metadata: { has_password: true } } }, error: null };

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText("Email"), "hannah@whitt.example");
  await user.type(screen.getByLabelText("Password"), "a long enough password");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
}

test("welcomes the user after a sign-in and leads home", async () => {
  auth.signInWithPassword.mockResolvedValue(signedIn);
  await signIn(show());
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(auth.signInWithPassword).toHaveBeenCalledWith({
    email: "hannah@whitt.example",
    password: "a long enough password",
  });
  expect(lastToast()).toMatchObject({ tone: "done", title: "Welcome!", text: "You have been signed in successfully." });
});

test.each(["Promoter", "Artist", "Admin"])(
  "signs in as %s with one click in the demo market, and leads to the dashboard",
  async (role) => {
    site.demoAccounts = true;
    auth.signInWithPassword.mockResolvedValue(signedIn);
    const user = show();
    await user.click(
      within(screen.getByRole("region", { name: "Look around as" })).getByRole("button", { name: role }),
    );
    await screen.findByText("Redirecting to your dashboard");
    expect(auth.signInWithPassword).toHaveBeenCalledExactlyOnceWith({
      email: `${role.toLowerCase()}@demo.test`,
      password: "demo-password",
    });
  },
);

test("shows the server's error for a rejected demo sign-in", async () => {
  site.demoAccounts = true;
  auth.signInWithPassword.mockResolvedValue({
    data: {},
    error: new Error("Demo mode only accepts requests from this machine"),
  });
  const user = show();
  await user.click(screen.getByRole("button", { name: "Admin" }));
  await waitFor(() =>
    expect(lastToast()).toMatchObject({ tone: "error", text: "Demo mode only accepts requests from this machine" }),
  );
  expect(screen.getByRole("button", { name: "Admin" }).getAttribute("aria-disabled")).toBeNull();
});

test("shows neither demo accounts nor their password outside the demo market", () => {
  show();
  expect(screen.queryByText("Look around as")).toBeNull();
  expect(screen.queryByText(/demo-password|demo\.test/)).toBeNull();
});

test("offers to resend the email for an unconfirmed address", async () => {
  auth.signInWithPassword.mockResolvedValue({
    data: { user: null },
    error: Object.assign(new Error("Email not confirmed"), { code: "email_not_confirmed", status: 400 }),
  });
  auth.resend.mockResolvedValue({ error: null });
  const user = show();
  await signIn(user);
  await user.click(await screen.findByRole("button", { name: "Send the email again" }));
  await screen.findByText(/We sent a new email to hannah@whitt\.example/);
  expect(auth.resend).toHaveBeenCalledWith({ type: "signup", email: "hannah@whitt.example" });
});

test("returns to the page from which a guard redirected", async () => {
  sessionStorage.setItem("after-sign-in", "admin.bookings");
  auth.signInWithPassword.mockResolvedValue(signedIn);
  await signIn(show());
  expect(await screen.findByRole("heading", { name: "Bookings" })).toBeTruthy();
});

test("shows single sign-on and its error if it is set up, and returns to the remembered page", async () => {
  show("/auth?problem=unverified");
  expect(screen.queryByRole("link", { name: /Continue with/ })).toBeNull();
  cleanup();
  site.singleSignOn = "Example Corp";
  show("/auth?problem=unverified");
  const link = screen.getByRole("link", { name: "Continue with Example Corp" });
  expect(link.getAttribute("href")).toBe("/auth/v1/oidc/start");
  expect(screen.getByRole("alert").textContent).toContain("Example Corp has not verified your email address");
  cleanup();
  sessionStorage.setItem("after-sign-in", "admin.bookings");
  // A pending address causes one more render before the navigation ends.
  sessionStorage.setItem("waiting-for-mail", "hannah@whitt.example");
  Object.assign(session, { phase: "signed-in", session: { user: { factors: [] } } });
  show("/auth?returned=1");
  await screen.findByRole("heading", { name: "Bookings" });
});

test("signs in with a passkey if site, address and browser support it, and reports a canceled one", async () => {
  const button = () => screen.queryByRole("button", { name: "Use a passkey" });
  site.passkeyHost = window.location.hostname;
  show();
  expect(button()).toBeNull();
  cleanup();
  vi.stubGlobal("PublicKeyCredential", class {});
  site.passkeyHost = "elsewhere.example";
  show();
  expect(button()).toBeNull();
  cleanup();
  site.passkeyHost = window.location.hostname;
  const canceled = Object.assign(new Error("The operation timed out"), {
    name: "NotAllowedError",
    __isWebAuthnError: true,
  });
  auth.signInWithPasskey.mockResolvedValueOnce({ data: null, error: canceled });
  auth.signInWithPasskey.mockResolvedValueOnce({ data: { user: { factors: [{ status: "verified" }] } }, error: null });
  const user = show();
  await user.click(screen.getByRole("button", { name: "Use a passkey" }));
  await waitFor(() => expect(lastToast()?.text).toMatch(/^No passkey was used: you canceled/));
  await user.click(screen.getByRole("button", { name: "Use a passkey" }));
  // The passkey is the second factor too, so no code is required.
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
});

test("shows the server's error for a rejected sign-in, retains the input and enables the form again", async () => {
  auth.signInWithPassword.mockResolvedValue({
    data: {},
    error: Object.assign(new Error("Invalid login credentials"), { code: "invalid_credentials" }),
  });
  await signIn(show());
  await waitFor(() =>
    expect(lastToast()).toMatchObject({ tone: "error", title: "Error", text: "Invalid login credentials" }),
  );
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("hannah@whitt.example");
  expect(screen.getByRole("button", { name: "Sign In" })).toHaveProperty("disabled", false);
  expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");
});

test("shows messages at empty fields, focuses the first and sends nothing", async () => {
  const user = show();
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(screen.getByText("Enter your email address.")).toBeTruthy();
  expect(screen.getByText("Enter your password.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  await user.type(screen.getByLabelText("Email"), "hannah");
  await user.type(screen.getByLabelText("Password"), "a long enough password");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(screen.getByText(/This is not an email address/)).toBeTruthy();
  expect(auth.signInWithPassword).not.toHaveBeenCalled();
});

test("moves by Tab from the address to the password, and then to the forgotten password", async () => {
  const user = show();
  screen.getByLabelText("Email").focus();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Forgot password?" }));
});

test("requires the code of a second factor before the welcome", async () => {
  auth.signInWithPassword.mockResolvedValue({
    data: { user: { factors: [{ status: "verified" }], app_metadata: {} } },
    error: null,
  });
  await signIn(show());
  await screen.findByRole("heading", { name: "Enter your code" });
  expect(currentToasts()).toEqual([]);
});

async function signUp(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole("tab", { name: "Sign Up" }));
  await user.type(screen.getByLabelText("Full name"), "Ada Lindqvist");
  await user.type(screen.getByLabelText("Email"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "a long enough password");
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
  await screen.findByRole("heading", { name: "Check your email" });
}

test("accepts the email's code after a sign-up, and leads to setting the password again", async () => {
  auth.signUp.mockResolvedValue({ data: { session: null }, error: null });
  auth.verifyOtp
    .mockResolvedValueOnce({
      data: { user: null },
      error: Object.assign(new Error("Token has expired or is invalid"), { status: 403 }),
    })
    .mockResolvedValueOnce({ data: { user: { factors: [], app_metadata: { has_password: false } } }, error: null });
  const user = show();
  await signUp(user);
  const code = screen.getByLabelText<HTMLInputElement>("Or enter the code from the email");
  await user.type(code, "000000");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "error", text: "Token has expired or is invalid" }));
  expect(code.value).toBe("");
  await user.type(code, "48-29 13");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByRole("heading", { name: "Set a new password" });
  expect(auth.verifyOtp).toHaveBeenLastCalledWith({ email: "ada@example.org", token: "482913", type: "email" });
});

test("shows the code field again after a reload until the user chooses another address", async () => {
  auth.signUp.mockResolvedValue({ data: { session: null }, error: null });
  await signUp(show());
  cleanup();
  const user = show("/auth?tab=sign-up");
  await screen.findByRole("heading", { name: "Check your email" });
  expect(screen.getByText("ada@example.org")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Use another address" }));
  await screen.findByRole("heading", { name: "Create your account" });
  expect(sessionStorage.length).toBe(0);
});

test("sends name, role and the site's root at sign-up, and refers to the email", async () => {
  auth.signUp.mockResolvedValue({ data: { session: null }, error: null });
  const user = show();
  await user.click(screen.getByRole("tab", { name: "Sign Up" }));
  expect(screen.getByLabelText<HTMLInputElement>("Promoter / Event Organizer").checked).toBe(true);
  await user.type(screen.getByLabelText("Full name"), "Ada Lindqvist");
  await user.type(screen.getByLabelText("Email"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "a long enough password");
  await user.click(screen.getByLabelText("Artist / Performer"));
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
  await waitFor(() =>
    expect(lastToast()).toMatchObject({
      title: "Account created!",
      text: "Please check your email to verify your account.",
    }),
  );
  expect(auth.signUp).toHaveBeenCalledWith({
    email: "ada@example.org",
    password: "a long enough password",
    options: { emailRedirectTo: `${window.location.origin}/`, data: { name: "Ada Lindqvist", role: "artist" } },
  });
});

test("moves between the tabs by arrow keys, and stores the open tab in the address", async () => {
  const user = show("/auth?tab=sign-up");
  const signUp = screen.getByRole("tab", { name: "Sign Up" });
  expect(signUp.getAttribute("aria-selected")).toBe("true");
  signUp.focus();
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByRole("tab", { name: "Sign In" }).getAttribute("aria-selected")).toBe("true");
});
