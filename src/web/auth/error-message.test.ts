import { GoTrueClient } from "@supabase/auth-js";
import { expect, test, vi } from "vitest";
import { errorMessageOf } from "./error-message.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const auth = new GoTrueClient({ url: "http://localhost/auth/v1", fetch, autoRefreshToken: false });
const messageOfSignIn = async () => {
  const { error } = await auth.signInWithPassword({ email: "mia@example.test", password: "a password" });
  return errorMessageOf(error);
};

const unreachable = "The server could not be reached. Please try again.";
const refused = "This is too much for now. Try again in 15 minutes.";
const page = "<html><h1>Too Many Requests</h1></html>";

test.each([
  [502, "<html>Bad Gateway</html>", unreachable],
  [520, "", unreachable],
  [429, page, unreachable],
  [403, page, unreachable],
  [429, JSON.stringify({ code: "over_request_rate_limit", message: refused }), refused],
  [
    500,
    JSON.stringify({ message: "Something went wrong. Please try again." }),
    "Something went wrong. Please try again.",
  ],
])("a response %d with %j becomes %j", async (status, body, shown) => {
  fetch.mockResolvedValueOnce(new Response(body, { status, statusText: "From a proxy" }));
  expect(await messageOfSignIn()).toBe(shown);
});

test("a lost connection is reported in our words", async () => {
  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await messageOfSignIn()).toBe(unreachable);
});
