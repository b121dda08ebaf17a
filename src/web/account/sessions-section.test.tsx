import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

// First, because it mocks modules.
import { auth, found, lastToast, ok, server } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { ActiveSession } from "../lib/api/account.ts";
import { SessionsSection } from "./sessions-section.tsx";

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

test("shows a loading state, then lists each device with its network, and signs out another one", async () => {
  const first = renderInMantine(<SessionsSection />);
  expect(screen.getByRole("status", { name: "Loading" })).toBeTruthy();
  first.unmount();
  found.sessions = {
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

test.each([
  [true, "Signed out everywhere"],
  [false, "Signed out of the other devices"],
])(
  "signs out the other sessions first, after reauthentication if required, here confirmed: %s",
  async (ended, title) => {
    found.sessions = { data: { items: [session] }, error: null };
    auth.signOut
      .mockResolvedValueOnce({ error: apiError("reauthentication_needed", "Enter your password again.", 400) })
      .mockResolvedValueOnce(ok);
    server.signOut.mockResolvedValueOnce(ended);
    renderInMantine(<SessionsSection />);
    press("Sign out everywhere");
    await screen.findByRole("dialog", { name: "Confirm it's you" });
    expect(server.signOut).not.toHaveBeenCalled();
    type("Your own password", "a quiet lamp backstage");
    press("Continue");
    await waitFor(() => expect(server.signOut).toHaveBeenCalledOnce());
    expect(server.reauthenticate).toHaveBeenCalledWith({ password: "a quiet lamp backstage" });
    expect(auth.signOut).toHaveBeenLastCalledWith({ scope: "others" });
    await waitFor(() => expect(lastToast()).toMatchObject({ title }));
  },
);

test("reports sessions that failed to load with Retry, and still offers to sign out everywhere", () => {
  found.sessions = { error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<SessionsSection />);
  expect(screen.getByRole("alert").textContent).toContain("Your sessions could not be loaded");
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Sign out everywhere" })).toBeTruthy();
});
