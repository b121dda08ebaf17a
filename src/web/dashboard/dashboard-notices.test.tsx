import { act, fireEvent, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { DashboardNotices } from "./dashboard-notices.tsx";

function show(me: Parameters<typeof DashboardNotices>[0]["me"], at = "/admin/users") {
  const Stub = createRoutesStub([{ path: "*", Component: () => <DashboardNotices me={me} /> }]);
  return render(<Stub initialEntries={[at]} />);
}

test("requests a second factor from an admin who has none, and links to it", () => {
  show({ role: "admin", shouldSetUpSecondFactor: true });
  expect(screen.getByText(/no second factor/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Set up two-factor sign-in" }).getAttribute("href")).toBe(
    "/account#second-factor",
  );
});

test("shows no banner on the account page, whose section requests it", () => {
  expect(show({ role: "admin", shouldSetUpSecondFactor: true }, "/account").container.textContent).toBe("");
});

test("offers to load the role again if it could not be loaded", () => {
  const retryRole = vi.fn();
  show({ role: "promoter", retryRole }, "/promoter/bookings");
  expect(screen.getByRole("note").textContent).toContain("Limited view.");
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(retryRole).toHaveBeenCalledOnce();
});

test("shows a pending admin request to its user", () => {
  show({ role: "promoter", adminRequestPending: true }, "/promoter/bookings");
  expect(screen.getByRole("note").textContent).toBe(
    "You requested to be an admin. An admin will decide. Until then, your account has the promoter role.",
  );
});

test("renders nothing for other users", () => {
  const me = { role: "admin", shouldSetUpSecondFactor: false, adminRequestPending: false } as const;
  expect(show(me).container.textContent).toBe("");
});

test("shows a notice while the device is offline", () => {
  const offline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  show({ role: "admin", shouldSetUpSecondFactor: false, adminRequestPending: false });
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(screen.getByRole("status").textContent).toContain("You are offline.");
  offline.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.queryByRole("status")).toBeNull();
});
