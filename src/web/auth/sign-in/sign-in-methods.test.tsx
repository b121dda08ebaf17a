import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { closeErrors, currentToasts } from "../../lib/toasts.ts";
import EnterCode from "../codes/code-page.tsx";
import Confirm from "../confirm-page.tsx";
import Reset from "../password/reset-page.tsx";
import SignInByMail from "./email-code-page.tsx";
import SignInByPhone from "./phone-page.tsx";

const auth = vi.hoisted(() => ({
  signInWithPassword: vi.fn(),
  signInWithOtp: vi.fn(),
  verifyOtp: vi.fn(),
  mfa: { challengeAndVerify: vi.fn(), recoveryCodes: { verify: vi.fn() } },
}));
const factors = [
  { id: "f0", friendly_name: "Half set up", status: "unverified" },
  { id: "f1", friendly_name: "My phone", status: "verified" },
  { id: "f2", friendly_name: "", status: "verified" },
];
let mine = factors;
let smsServed = true;
let phase = "signed-in";
const loadClient = vi.hoisted(() => vi.fn());
const retrySession = vi.hoisted(() => vi.fn());
vi.mock("../../lib/auth/session.ts", () => ({
  authClient: loadClient,
  dropSession: vi.fn(),
  retrySession,
  useSession: () => ({ phase, session: { user: { email: "ines@example.org", factors: mine } } }),
}));
vi.mock("../../lib/api/query.ts", () => ({ queryClient: { clear: vi.fn() } }));
vi.mock("./sends-sms.ts", () => ({ sendsSms: async () => smsServed }));

beforeEach(() => {
  vi.resetAllMocks();
  loadClient.mockResolvedValue(auth);
  sessionStorage.clear();
  [mine, smsServed, phase] = [factors, true, "signed-in"];
});

function show(Component: () => React.ReactNode, query = "") {
  const Stub = createRoutesStub([
    { path: "/auth/here", Component },
    { path: "/", Component: () => <h1>Book Amazing Artists</h1> },
  ]);
  render(<Stub initialEntries={[`/auth/here${query}`]} />);
  return userEvent.setup();
}
const lastToast = () => currentToasts().at(-1);
const entered = { data: { user: { factors: [], app_metadata: {} } }, error: null };

test("signs in with a phone number and a password", async () => {
  auth.signInWithPassword.mockResolvedValue(entered);
  const user = show(SignInByPhone);
  await user.type(screen.getByLabelText("Phone"), "+1 512 555 0148");
  await user.type(screen.getByLabelText("Password"), "a quiet lamp backstage");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(auth.signInWithPassword).toHaveBeenCalledWith({
    phone: "+1 512 555 0148",
    password: "a quiet lamp backstage",
  });
});

test("says that the server could not be reached if the client cannot be loaded, and sends again", async () => {
  const text = "The server could not be reached. Please try again.";
  loadClient.mockRejectedValue(new Error(text));
  let user = show(SignInByMail);
  await user.type(screen.getByLabelText("Email"), "ines@example.org");
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  expect(lastToast()).toMatchObject({ tone: "error", text });
  loadClient.mockResolvedValue(auth);
  auth.signInWithOtp.mockResolvedValue({ error: null });
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  await screen.findByLabelText("Code from the email");
  cleanup();
  loadClient.mockRejectedValue(new Error(text));
  user = show(SignInByPhone);
  await user.type(screen.getByLabelText("Phone"), "+1 512 555 0148");
  await user.type(screen.getByLabelText("Password"), "a quiet lamp backstage");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(currentToasts().at(-1)).toMatchObject({ tone: "error", text });
  expect(screen.getByRole("button", { name: "Sign In" }).getAttribute("aria-busy")).toBeNull();
  cleanup();
  closeErrors();
  user = show(Confirm, "?type=magiclink&token_hash=abc");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(currentToasts().at(-1)).toMatchObject({ tone: "error", text });
  expect(screen.getByRole("button", { name: "Sign In" }).getAttribute("aria-busy")).toBeNull();
});

test("signs in with a code by SMS, and creates no account", async () => {
  auth.signInWithOtp.mockResolvedValue({ error: null });
  const offline = Object.assign(new Error("Failed to fetch"), { name: "AuthRetryableFetchError", status: 0 });
  auth.verifyOtp.mockResolvedValueOnce({ data: { user: null }, error: offline }).mockResolvedValue(entered);
  const user = show(SignInByPhone);
  await user.type(screen.getByLabelText("Phone"), "+1 512 555 0148");
  await user.click(await screen.findByRole("button", { name: "Get a code by SMS instead" }));
  expect(screen.queryByLabelText("Password")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  await user.type(await screen.findByLabelText("Code from the message"), "482913");
  expect(screen.getByRole("button", { name: /^Send it again in \d+ s$/ })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByText("The server could not be reached. Please try again.");
  expect(screen.getByLabelText<HTMLInputElement>("Code from the message").value).toBe("482913");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(auth.signInWithOtp).toHaveBeenCalledWith({
    phone: "+1 512 555 0148",
    options: { shouldCreateUser: false, channel: "sms" },
  });
  expect(auth.verifyOtp).toHaveBeenCalledWith({ phone: "+1 512 555 0148", type: "sms", token: "482913" });
});

test("offers no code if the server sends no SMS", async () => {
  smsServed = false;
  show(SignInByPhone);
  await waitFor(() => expect(screen.getByLabelText("Password")).toBeTruthy());
  expect(screen.queryByRole("button", { name: /by SMS/ })).toBeNull();
});

test("asks for the country code of a number without one, and sends nothing", async () => {
  const user = show(SignInByPhone);
  await user.type(screen.getByLabelText("Phone"), "(512) 555-0777");
  await user.type(screen.getByLabelText("Password"), "whatever it is");
  auth.signInWithPassword.mockClear();
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByText("Start with + and the country code, as in +1 512 555 0148.");
  expect(auth.signInWithPassword).not.toHaveBeenCalled();
});

test("shows the server's error for a rejected number and retains the number", async () => {
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: new Error("Invalid login credentials") });
  const user = show(SignInByPhone);
  await user.type(screen.getByLabelText("Phone"), "+1 512");
  await user.type(screen.getByLabelText("Password"), "whatever it is");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "error", text: "Invalid login credentials" }));
  expect(screen.getByLabelText<HTMLInputElement>("Phone").value).toBe("+1 512");
});

test("offers a choice of several authenticators without unverified ones", async () => {
  auth.mfa.challengeAndVerify.mockResolvedValue({ error: null });
  const user = show(EnterCode);
  expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual(["My phone", "Authenticator app"]);
  await user.selectOptions(screen.getByLabelText("Authenticator"), "Authenticator app");
  await user.type(screen.getByLabelText("Six-digit code"), "482913");
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(auth.mfa.challengeAndVerify.mock.calls).toEqual([[{ factorId: "f2", code: "482913" }]]);
});

test.each([
  ["the page of the code", EnterCode],
  ["the page of a new password", Reset],
])("offers Retry on %s if the session could not be loaded", async (_, Page) => {
  phase = "unreachable";
  const user = show(Page);
  screen.getByRole("heading", { name: "The server could not be reached" });
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(retrySession).toHaveBeenCalledOnce();
});

test("shows no choice for one authenticator, and accepts a recovery code", async () => {
  mine = factors.slice(0, 2);
  auth.mfa.recoveryCodes.verify.mockResolvedValue({ error: null });
  const user = show(EnterCode);
  expect(screen.queryByLabelText("Authenticator")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  await user.type(screen.getByLabelText("Recovery code"), " abcd-efgh ");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(auth.mfa.recoveryCodes.verify).toHaveBeenCalledWith({ code: "abcd-efgh" });
});

test("retains an authenticator's code without a connection, and empties a wrong one", async () => {
  mine = factors.slice(0, 2);
  const offline = Object.assign(new Error("Failed to fetch"), { name: "AuthRetryableFetchError", status: 0 });
  const wrong = Object.assign(new Error("Wrong code."), { status: 422 });
  auth.mfa.challengeAndVerify.mockResolvedValueOnce({ error: offline }).mockResolvedValueOnce({ error: wrong });
  const user = show(EnterCode);
  const field = screen.getByLabelText<HTMLInputElement>("Six-digit code");
  await user.type(field, "482913");
  await screen.findByText("The server could not be reached. Please try again.");
  expect(field.value).toBe("482913");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await screen.findByText("Wrong code.");
  expect(field.value).toBe("");
});
