import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { press, renderInMantine } from "../test-providers.tsx";
import { PaletteButton } from "./palette-button.tsx";

const server = vi.hoisted(() => ({ refetch: vi.fn() }));
let response: { data?: object; error: Error | null; isFetching: boolean };
const searches: string[] = [];
vi.mock("./booking-actions.ts", () => ({ useBookingActions: () => [] }));
vi.mock("../../lib/api/search.ts", () => ({
  useSearch: (text: string) => {
    searches.push(text);
    return { ...response, refetch: server.refetch };
  },
}));

const artist = { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" };
const booking = (number: string) => ({
  id: number,
  number: `SD-${number}`,
  event_date: "2027-02-13",
  promoter_name: "Hannah Whitt",
  venue_name: "The Dock",
  status: "contract_sent",
  artist,
});
const navigation = [
  { label: "Overview", to: "/admin" },
  { label: "Bookings", to: "/admin/bookings" },
];
const actions = { toggle: vi.fn(), signOut: vi.fn() };

beforeEach(() => {
  vi.resetAllMocks();
  localStorage.clear();
  searches.length = 0;
  // Like newer browsers, which return a promise. jsdom lacks the method.
  Object.assign(Element.prototype, { scrollIntoView: () => Promise.resolve() });
  response = {
    data: { bookings: [booking("7KQ4MN"), booking("X6TD4W")], artists: [], users: [] },
    error: null,
    isFetching: false,
  };
});

const show = () =>
  renderInMantine(
    <main>
      <input type="search" aria-label="Search this list" />
      <PaletteButton
        userRole="admin"
        navigation={navigation}
        onToggleSidebar={actions.toggle}
        onSignOut={actions.signOut}
      />
    </main>,
  );
async function open() {
  show();
  fireEvent.keyDown(document.documentElement, { key: "k", code: "KeyK", ctrlKey: true });
  return screen.findByRole("combobox", { name: /Search screens, bookings, artists, users and actions/ });
}
const chosen = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "";

test("opens on Ctrl + K as a combobox with a list of named groups, and focuses the field", async () => {
  const field = await open();
  await waitFor(() => expect(document.activeElement).toBe(field));
  const list = screen.getByRole("listbox", { name: "Results" });
  expect(field.getAttribute("aria-controls")).toBe(list.id);
  expect(
    within(list)
      .getAllByRole("group")
      .map((group) => group.getAttribute("aria-labelledby")),
  ).toHaveLength(2);
  expect(within(within(list).getByRole("group", { name: "Screens" })).getAllByRole("option")).toHaveLength(4);
});

test("retains what is typed before its field has the focus, and keeps it from the page", async () => {
  const seen = vi.fn();
  show();
  document.body.addEventListener("keydown", seen);
  for (const key of ["k", "e", "x", "Backspace", "l", "/", "Enter"])
    fireEvent.keyDown(document.body, { key, code: "KeyK", ctrlKey: key === "k" });
  document.body.removeEventListener("keydown", seen);
  const field = await screen.findByRole("combobox");
  expect(field).toHaveProperty("value", "el/");
  expect(seen).toHaveBeenCalledOnce();
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: "e" });
  expect(field).toHaveProperty("value", "el/");
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  expect(await screen.findByRole("combobox")).toHaveProperty("value", "");
});

test("stays closed while a dialog makes the page inert, and leaves its keys alone", async () => {
  const { unmount } = renderInMantine(<dialog open aria-label="Release the hold?" />);
  show();
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  expect(fireEvent.keyDown(screen.getByRole("dialog"), { key: "Enter" })).toBe(true);
  expect(screen.queryByRole("combobox")).toBeNull();
  unmount();
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  await screen.findByRole("combobox");
});

test("searches after a pause, marks the matches, and selects the booking of a number", async () => {
  const field = await open();
  fireEvent.change(field, { target: { value: "x6td4w" } });
  await waitFor(() => expect(searches).toContain("x6td4w"));
  await waitFor(() => expect(chosen(field)).toContain("SD-X6TD4W"));
  expect(screen.getByRole("option", { selected: true }).getAttribute("href")).toBe("/admin/bookings/X6TD4W");
  fireEvent.change(field, { target: { value: "elec" } });
  await waitFor(() => expect(document.querySelectorAll("mark").length).toBeGreaterThan(0));
});

test("says that nothing was found only about a text that was searched", async () => {
  response = { data: { bookings: [], artists: [], users: [] }, error: null, isFetching: false };
  const field = await open();
  for (const value of ["qqx", "qqxz"]) {
    fireEvent.change(field, { target: { value } });
    expect(screen.getByText("Searching", { selector: "[role=status]" })).toBeTruthy();
  }
  expect(await screen.findByText("Nothing was found for “qqxz”.")).toBeTruthy();
});

test("wraps around the list by arrow keys, and Enter opens the selected item and closes", async () => {
  const field = await open();
  expect(chosen(field)).toBe("Overview");
  fireEvent.keyDown(field, { key: "ArrowUp" });
  expect(chosen(field)).toContain("Sign Out");
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.keyDown(field, { key: "ArrowDown" });
  expect(chosen(field)).toBe("Bookings");
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
});

test("confirms before it signs out", async () => {
  const field = await open();
  fireEvent.change(field, { target: { value: "sign out" } });
  await waitFor(() => expect(chosen(field)).toContain("Sign Out"));
  fireEvent.keyDown(field, { key: "Enter" });
  const dialog = within(await screen.findByRole("dialog", { name: "Sign out?" }));
  expect(actions.signOut).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole("button", { name: "Sign Out" }));
  await waitFor(() => expect(actions.signOut).toHaveBeenCalledOnce());
});

test("reports a failed search with Retry, and retains the screens", async () => {
  response = { error: new Error("x"), isFetching: false };
  await open();
  expect(screen.getByRole("alert").textContent).toContain("could not be searched");
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
  expect(screen.getByRole("option", { name: "Overview" })).toBeTruthy();
});

test("focuses the search on / and shows the shortcuts on ?, unless the user types or switched them off", async () => {
  show();
  const search = screen.getByRole("searchbox");
  fireEvent.keyDown(document.body, { key: "/" });
  expect(document.activeElement).toBe(search);
  search.blur();
  fireEvent.keyDown(search, { key: "?" });
  expect(screen.queryByRole("dialog")).toBeNull();
  fireEvent.keyDown(document.body, { key: "?" });
  const dialog = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  dialog.getByRole("row", { name: /Search everything/ });
  fireEvent.click(dialog.getByRole("checkbox", { name: /Single-key shortcuts/ }));
  expect(localStorage.getItem("single-keys")).toBe("off");
  press(/close/i);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  fireEvent.keyDown(document.body, { key: "/" });
  expect(document.activeElement).not.toBe(search);
});
