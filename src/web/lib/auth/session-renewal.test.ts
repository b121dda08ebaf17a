import { renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSession, useSession } from "./session.ts";

test("renews the session again after a limit, instead of ending it", async () => {
  document.cookie = "signed_in=1";
  onTestFinished(() => {
    vi.unstubAllGlobals();
    document.cookie = "signed_in=; max-age=0";
  });
  const limit = { code: "over_request_rate_limit", message: "Request rate limit reached" };
  const user = { id: "u1", email: "ines@example.org", user_metadata: {}, app_metadata: {} };
  const session = { access_token: "a.b.c", refresh_token: "cookie", expires_in: 3_600, token_type: "bearer", user };
  const fetch = vi.fn<typeof globalThis.fetch>();
  fetch
    .mockResolvedValueOnce(Response.json(limit, { status: 429 }))
    .mockImplementation(() => Promise.resolve(Response.json(session)));
  vi.stubGlobal("fetch", fetch);
  await startSession();
  const { result } = renderHook(useSession);
  expect(result.current.phase).toBe("signed-in");
  expect(document.cookie).toContain("signed_in=1");
});
