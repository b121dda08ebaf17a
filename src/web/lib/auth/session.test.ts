import { renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { dropSession, hasJustSignedOut, signedInUser, signOut } from "./session.ts";

const auth = vi.hoisted(() => ({ onAuthStateChange: vi.fn(), refreshSession: vi.fn(), signOut: vi.fn() }));
vi.mock("./auth-client.ts", () => ({ makeAuthClient: () => auth, refreshByCookie: "cookie" }));

test("logs a sign-out that does not reach the server, and signs out the tab", async () => {
  const warning = vi.mocked(console.warn).mockReturnValue();
  auth.signOut.mockResolvedValue({ error: new Error("no connection") });
  expect(await signOut()).toBe(false);
  expect(warning).toHaveBeenCalledExactlyOnceWith("The sign-out did not reach the server.", "no connection");
  warning.mockClear();
  expect(await signedInUser()).toBeUndefined();
  expect(hasJustSignedOut()).toBe(true);
});

test("clears the drafts of forms when the user signs out, not when the session ends", async () => {
  auth.signOut.mockResolvedValue({ error: null });
  sessionStorage.setItem("draft:contact-form", "{}");
  sessionStorage.setItem("after-sign-in", "admin.bookings");
  await dropSession();
  expect(sessionStorage).toHaveLength(2);
  await signOut();
  expect(Object.keys(sessionStorage)).toEqual(["after-sign-in"]);
  sessionStorage.clear();
});

test("reports a client that cannot be loaded, and loads it again on Retry", async () => {
  const withoutClient = () => {
    throw new Error("Failed to fetch dynamically imported module");
  };
  vi.resetModules();
  vi.doMock("./auth-client.ts", withoutClient);
  document.cookie = "signed_in=1";
  onTestFinished(() => void (document.cookie = "signed_in=; max-age=0"));
  const { authClient, retrySession, startSession, useSession } = await import("./session.ts");
  await startSession();
  const { result, rerender } = renderHook(useSession);
  expect(result.current.phase).toBe("unreachable");
  await expect(authClient()).rejects.toThrow("The server could not be reached. Please try again.");
  vi.doMock("./auth-client.ts", () => ({ makeAuthClient: () => auth, refreshByCookie: "cookie" }));
  auth.refreshSession.mockResolvedValue({ data: { session: { user: { id: "u1" }, access_token: "" } }, error: null });
  await retrySession();
  rerender();
  expect(result.current.phase).toBe("signed-in");
});
