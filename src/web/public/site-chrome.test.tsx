import { fireEvent, render, screen, within, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { SiteChrome } from "./site-chrome.tsx";

vi.mock("../lib/site.ts", () => ({ useSite: () => undefined }));

async function openMenu() {
  const Page = createRoutesStub([{ path: "/", Component: () => <SiteChrome>The page</SiteChrome> }]);
  render(<Page initialEntries={["/"]} />);
  const menu = (await screen.findByLabelText("Menu", { selector: "summary" })).closest("details");
  if (!menu) throw new Error("The header has no menu.");
  menu.open = true;
  return menu;
}

test("closes the phone's menu after a choice on the same page", async () => {
  const menu = await openMenu();
  await userEvent.click(within(menu).getByRole("link", { name: "Browse Artists" }));
  await waitFor(() => expect(menu.open).toBe(false));
});

test("closes on Escape with the focus returned, and on a press elsewhere", async () => {
  const menu = await openMenu();
  fireEvent.keyDown(document, { key: "Escape" });
  expect(menu.open).toBe(false);
  expect(document.activeElement).toBe(screen.getByLabelText("Menu", { selector: "summary" }));
  menu.open = true;
  fireEvent.pointerDown(within(menu).getByRole("link", { name: "Contact" }));
  expect(menu.open).toBe(true);
  fireEvent.pointerDown(screen.getByText("The page"));
  expect(menu.open).toBe(false);
});
