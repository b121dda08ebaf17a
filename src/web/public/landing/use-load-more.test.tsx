import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { listedArtist } from "../test-artist.ts";
import { Browse } from "./browse.tsx";
import { readBrowse } from "./read-browse.ts";

const list = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { artists: { list } } }));

beforeEach(() => void list.mockReset());

function show(key: string, search = "") {
  const query = readBrowse(new URLSearchParams("genre=jazz&sort=newest"));
  const first = {
    items: [listedArtist("One")],
    nextCursor: "a",
    total: 3,
    capped: false,
    failure: undefined,
  };
  const Stub = createRoutesStub([{ path: "/", Component: () => <Browse query={query} list={first} /> }]);
  render(<Stub initialEntries={[{ pathname: "/", search, key }]} />);
}

const names = () => screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent);

test("adds the next artists with the same filters until there are none", async () => {
  list.mockResolvedValueOnce({ items: [listedArtist("Two")], nextCursor: "b" });
  list.mockResolvedValueOnce({ items: [listedArtist("Three")], nextCursor: null });
  show("here");
  const more = screen.getByRole("link", { name: "Show 24 more" });
  expect(more.getAttribute("href")).toBe("/?genre=jazz&sort=newest&cursor=a#browse");
  fireEvent.click(more);
  fireEvent.click(more);
  await screen.findByText("Two");
  expect(list).toHaveBeenCalledTimes(1);
  expect(list).toHaveBeenCalledWith(expect.objectContaining({ genre: "jazz", sort: "newest", cursor: "a", limit: 24 }));
  fireEvent.click(screen.getByRole("link", { name: "Show 24 more" }));
  await screen.findByText("Three");
  expect(list).toHaveBeenLastCalledWith(expect.objectContaining({ cursor: "b" }));
  expect(names()).toEqual(["One", "Two", "Three"]);
  expect(screen.queryByRole("link", { name: /more/ })).toBeNull();

  cleanup();
  show("here");
  expect(names()).toEqual(["One", "Two", "Three"]);
  cleanup();
  show("elsewhere");
  expect(names()).toEqual(["One"]);
});

test("shows an error with Retry, and retains the loaded artists", async () => {
  list.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  list.mockResolvedValueOnce({ items: [listedArtist("Two")], nextCursor: null });
  show("another");
  fireEvent.click(screen.getByRole("link", { name: "Show 24 more" }));
  expect((await screen.findByRole("alert")).textContent).toContain("could not be reached");
  expect(names()).toEqual(["One"]);
  fireEvent.click(screen.getByRole("link", { name: "Retry" }));
  await screen.findByText("Two");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("focuses the first added artist, once the tray of the comparison has loaded", async () => {
  list.mockResolvedValueOnce({ items: [listedArtist("Two"), listedArtist("Three")], nextCursor: null });
  show("focus", "?compare=one");
  await screen.findByRole("region", { name: "Acts to compare" });
  fireEvent.click(screen.getByRole("link", { name: "Show 24 more" }));
  await waitFor(() => expect(screen.getByRole("link", { name: "Two" })).toBe(document.activeElement));
});
