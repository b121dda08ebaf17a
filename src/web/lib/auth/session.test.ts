import { expect, test, vi } from "vitest";
import { hasJustSignedOut, signedInUser, signOut } from "./session.ts";

const auth = vi.hoisted(() => ({ onAuthStateChange: vi.fn(), signOut: vi.fn() }));
vi.mock("./auth-client.ts", () => ({ makeAuthClient: () => auth, refreshByCookie: "cookie" }));

test("logs a sign-out that does not reach the server, and signs out the tab", async () => {
  const warning = vi.mocked(console.warn).mockReturnValue();
  auth.signOut.mockResolvedValue({ error: new Error("no connection") });
  await signOut();
  expect(warning).toHaveBeenCalledExactlyOnceWith("The sign-out did not reach the server.", "no connection");
  warning.mockClear();
  expect(await signedInUser()).toBeUndefined();
  expect(hasJustSignedOut()).toBe(true);
});
