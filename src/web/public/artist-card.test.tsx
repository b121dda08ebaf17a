import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { ArtistCard, type CardArtist, FeaturedCard } from "./artist-card.tsx";
import type { SearchedDate } from "./searched-date.ts";
import { listedArtist } from "./test-artist.ts";

afterEach(() => Reflect.deleteProperty(document, "startViewTransition"));

const artist: CardArtist = listedArtist("One");
const draw = (night: CardArtist["night"]) => {
  const Component = () => (
    <ul>
      <ArtistCard artist={{ ...artist, night }} />
      <FeaturedCard artist={{ ...artist, night }} />
    </ul>
  );
  const Stub = createRoutesStub([
    { path: "/", Component },
    { path: "/artist/:slug", Component: () => <h1>Profile</h1> },
  ]);
  render(<Stub />);
  return screen.getAllByRole("listitem");
};

test("passes the date and the town of a search on to the profile", () => {
  const searches: SearchedDate[] = [{ date: "2027-02-13", town: "Austin, Texas" }, { town: "Austin" }];
  const Component = () => searches.map((searched) => <ArtistCard key={searched.town} {...{ artist, searched }} />);
  const Stub = createRoutesStub([{ path: "/", Component }]);
  render(<Stub />);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/artist/one?date=2027-02-13&town=Austin%2C+Texas",
    "/artist/one",
  ]);
});

test("does not dim a free artist, and shows the price", async () => {
  const [card, featured] = draw({ state: "free", message: "Free that night" });
  expect(card?.dataset["lit"]).toBe("free");
  expect(card?.textContent).toContain("From $900");
  expect(card?.textContent).toContain("Free that night");
  expect(featured?.textContent).toContain("$900");
});

test("explains why an artist is not free, and still links to the profile", async () => {
  const [card, featured] = draw({ state: "taken", message: "Taken that night" });
  expect(card?.dataset["lit"]).toBe("taken");
  expect(card?.textContent).toContain("Taken that night");
  expect(screen.getByRole("link", { name: "One" }).getAttribute("href")).toBe("/artist/one");
  expect(featured?.textContent).toContain("Taken that night");
  expect(featured?.textContent).not.toContain("$900");
});

test("dims nothing without a night", () => {
  const [card] = draw(undefined);
  expect(card?.dataset["lit"]).toBeUndefined();
});

test.each(["One", "View Profile: One"])("moves the card's poster to the profile for the link %s", async (name) => {
  const startViewTransition = vi.fn((update: () => unknown) => {
    const done = Promise.resolve(update()).then(() => undefined);
    return { ready: done, finished: done, updateCallbackDone: done, skipTransition: () => undefined };
  });
  Object.assign(document, { startViewTransition });
  draw(undefined);
  await userEvent.setup().click(screen.getByRole("link", { name }));
  await screen.findByRole("heading", { name: "Profile" });
  expect(startViewTransition).toHaveBeenCalledOnce();
});
