import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { CalendarDays } from "lucide-react";
import type { ReactNode } from "react";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Role } from "#users/rules.ts";
import { queryClient } from "../../lib/api/query.ts";
import { useUnsavedChanges } from "../dialogs/unsaved-changes.tsx";
import { dashboards, type NavigationItem } from "./navigation.ts";
import { Shell } from "./shell.tsx";

vi.mock("../../lib/api/browser-api.ts", () => {
  const activity = { attention: () => Promise.resolve({ items: [{}, {}] }) };
  const listOfPromoter = () => Promise.resolve({ summary: { counts: { needs_you: 3 } } });
  return { browserApi: { activity, bookings: { listOfArtist: {}, listOfPromoter }, users: { me: {} } } };
});

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
  document.cookie = "sidebar_state=; path=/; max-age=0";
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const onSignOut = vi.fn();

const adminPages: readonly NavigationItem[] = [
  { label: "Bookings", to: "/", icon: CalendarDays, shortLabel: "Bookings", counts: true },
  { label: "Logs", to: "/logs", icon: CalendarDays },
];

function show({
  role = "admin" as Role,
  navigation = adminPages,
  address = "/",
  content = (<h1>Bookings</h1>) as ReactNode,
} = {}) {
  const Page = () => (
    <Shell title="Admin Panel" navigation={navigation} user={{ name: "Ines Halvorsen", role }} onSignOut={onSignOut}>
      {content}
    </Shell>
  );
  const Stub = createRoutesStub([{ path: "*", Component: Page }]);
  return render(
    <MantineProvider env="test" withCssVariables={false}>
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Stub initialEntries={[address]} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("confirms before it signs out with unsaved changes", async () => {
  function Editor() {
    useUnsavedChanges(["the note"]);
    return null;
  }
  show({ content: <Editor /> });
  fireEvent.click(screen.getByRole("button", { name: "Sign Out" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
  dialog.getByText("1 change not saved: the note.");
  expect(onSignOut).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole("button", { name: "Leave" }));
  await waitFor(() => expect(onSignOut).toHaveBeenCalledOnce());
});

const sidebar = () => screen.getByRole("complementary", { name: "Admin Panel" });

test("marks the current page and shows the user", () => {
  show();
  expect(sidebar().dataset["sidebar"]).toBe("expanded");
  expect(screen.getByRole("link", { name: "Bookings" }).getAttribute("aria-current")).toBe("page");
  expect(sidebar().textContent).toContain("Ines Halvorsen");
});

test("collapses the sidebar on Ctrl or Cmd and B, and remembers it", () => {
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

test("ignores B without a modifier", () => {
  show();
  fireEvent.keyDown(document.body, { key: "b" });
  expect(sidebar().dataset["sidebar"]).toBe("expanded");
});

test("shows a phone's pages in the bottom bar with the pending count, and the rest in the menu", async () => {
  isPhone = true;
  show();
  expect(screen.queryByRole("button", { name: "Toggle sidebar" })).toBeNull();
  const bar = within(screen.getByRole("navigation", { name: "Main pages" }));
  const bookings = bar.getByRole("link", { name: /^Bookings/ });
  expect(bookings.getAttribute("aria-current")).toBe("page");
  await waitFor(() => expect(bookings.textContent).toBe("Bookings2 waiting for you"));
  fireEvent.click(bar.getByRole("button", { name: "More" }));
  const menu = within(await screen.findByRole("menu"));
  expect(menu.getAllByRole("menuitem").map((one) => one.textContent)).toEqual(["Logs", "Account", "Sign Out"]);
  fireEvent.click(menu.getByRole("menuitem", { name: "Sign Out" }));
  expect(onSignOut).toHaveBeenCalledOnce();
});

test("shows a promoter's five places on a phone with Holds in the menu, and leads from the calendar back to the list", async () => {
  isPhone = true;
  vi.stubGlobal("scrollTo", vi.fn());
  const { navigation } = dashboards.promoter;
  show({ role: "promoter", navigation, address: "/promoter/bookings?view=month&month=2027-02" });
  const bar = within(screen.getByRole("navigation", { name: "Main pages" }));
  const current = () =>
    bar.getAllByRole("link").flatMap((link) => (link.hasAttribute("aria-current") ? [link.textContent] : []));
  const bookings = "Bookings3 waiting for you";
  await waitFor(() =>
    expect(bar.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
      bookings,
      "Calendar",
      "Find",
      "Money",
    ]),
  );
  expect(current()).toEqual(["Calendar"]);
  fireEvent.click(bar.getByRole("link", { name: "Calendar" }));
  expect(window.scrollTo).toHaveBeenCalledOnce();
  fireEvent.click(bar.getByRole("link", { name: /^Bookings/ }));
  await waitFor(() => expect(current()).toEqual([bookings]));
  fireEvent.click(bar.getByRole("button", { name: "Me" }));
  const items = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["Holds", "Settings", "Account", "Sign Out"]);
});

test("signs out on Sign Out", () => {
  show();
  fireEvent.click(screen.getByRole("button", { name: "Sign Out" }));
  expect(onSignOut).toHaveBeenCalledOnce();
});
