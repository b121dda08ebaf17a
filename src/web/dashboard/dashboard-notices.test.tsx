import { act, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { DashboardNotices } from "./dashboard-notices.tsx";

function show(me: Parameters<typeof DashboardNotices>[0]["me"], at = "/admin/users") {
  const Stub = createRoutesStub([{ path: "*", Component: () => <DashboardNotices me={me} /> }]);
  return render(<Stub initialEntries={[at]} />);
}

test("an admin without a second factor is asked for one and led there", () => {
  show({ role: "admin", shouldSetUpSecondFactor: true });
  expect(screen.getByText(/no second factor/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Set up two-factor sign-in" }).getAttribute("href")).toBe(
    "/account#second-factor",
  );
});

test("on the account page the section itself asks, not the banner too", () => {
  expect(show({ role: "admin", shouldSetUpSecondFactor: true }, "/account").container.textContent).toBe("");
});

test("who asked to be an admin sees that somebody has to decide", () => {
  show({ role: "promoter", adminRequestPending: true }, "/promoter/bookings");
  expect(screen.getByRole("note").textContent).toBe(
    "You requested to be an admin. An admin will decide. Until then your account works as a promoter's.",
  );
});

test("everybody else sees nothing", () => {
  const me = { role: "admin", shouldSetUpSecondFactor: false, adminRequestPending: false } as const;
  expect(show(me).container.textContent).toBe("");
});

test("a device without a connection shows a notice, until it is back", () => {
  const offline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  show({ role: "admin", shouldSetUpSecondFactor: false, adminRequestPending: false });
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(screen.getByRole("status").textContent).toContain("You are offline.");
  offline.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.queryByRole("status")).toBeNull();
});
