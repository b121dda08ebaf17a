import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

// First, because it mocks modules.
import { currentUser, found, lastToast, server } from "./test-account.tsx";

import { apiError, press, renderInMantine, type } from "../dashboard/test-providers.tsx";
import { FirstAdminSection } from "./first-admin-section.tsx";

test("sends the operator's token trimmed, shows a wrong one at the field, and renders nothing without a token or for an admin", async () => {
  expect(renderInMantine(<FirstAdminSection />).container.textContent).toBe("");
  found.me = { ...currentUser, firstAdminTokenWaits: true };
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
  found.me = { ...currentUser, role: "admin", firstAdminTokenWaits: true };
  expect(renderInMantine(<FirstAdminSection />).container.textContent).toBe("");
});
