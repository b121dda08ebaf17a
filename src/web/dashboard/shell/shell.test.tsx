import { MantineProvider } from "@mantine/core";
import { CalendarDays } from "lucide-react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Shell } from "./shell.tsx";

let isPhone = false;

beforeEach(() => {
  isPhone = false;
  vi.stubGlobal("matchMedia", () => ({
    matches: isPhone,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

afterEach(() => {
  cleanup();
  document.cookie = "sidebar_state=; path=/; max-age=0";
  vi.unstubAllGlobals();
});

const onSignOut = vi.fn();

function show() {
  const Page = () => (
    <Shell
      title="Admin Panel"
      navigation={[{ label: "Bookings", to: "/", icon: CalendarDays }]}
      user={{ name: "Ines Halvorsen", role: "admin" }}
      onSignOut={onSignOut}
    >
      <h1>Bookings</h1>
    </Shell>
  );
  const Stub = createRoutesStub([{ path: "/", Component: Page }]);
  return render(
    <MantineProvider env="test" withCssVariables={false}>
      <Stub />
    </MantineProvider>,
  );
}

const sidebar = () => screen.getByRole("complementary", { name: "Admin Panel" });

test("the sidebar names its dashboard, lights the present page and says who is here", () => {
  show();
  expect(sidebar().dataset["sidebar"]).toBe("expanded");
  expect(screen.getByRole("link", { name: "Bookings" }).getAttribute("aria-current")).toBe("page");
  expect(sidebar().textContent).toContain("Ines Halvorsen");
});

test("Ctrl or Cmd and B collapses the sidebar and the choice is remembered", () => {
  const first = show();
  fireEvent.keyDown(document.body, { key: "b", ctrlKey: true });
  expect(sidebar().dataset["sidebar"]).toBe("collapsed");
  expect(document.cookie).toContain("sidebar_state=collapsed");
  first.unmount();
  show();
  expect(sidebar().dataset["sidebar"]).toBe("collapsed");
  fireEvent.keyDown(document.body, { key: "B", metaKey: true });
  expect(sidebar().dataset["sidebar"]).toBe("expanded");
});

test("B alone is only typed", () => {
  show();
  fireEvent.keyDown(document.body, { key: "b" });
  expect(sidebar().dataset["sidebar"]).toBe("expanded");
});

test("on a phone the button opens a drawer, Escape closes it, and the cookie is left alone", () => {
  isPhone = true;
  show();
  const toggle = screen.getByRole("button", { name: "Toggle sidebar" });
  fireEvent.click(toggle);
  const opened = document.querySelector<HTMLElement>("[data-sidebar]");
  expect(opened?.dataset["sidebar"]).toBe("open");
  expect(document.activeElement?.textContent).toBe("Bookings");
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(opened?.dataset["sidebar"]).toBe("closed");
  expect(document.activeElement).toBe(toggle);
  expect(document.cookie).not.toContain("sidebar_state");
});

test("Sign Out signs out", () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: "Sign Out" }));
  expect(onSignOut).toHaveBeenCalledOnce();
});
