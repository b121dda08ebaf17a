import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub, Link, Outlet } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import Overlays from "./overlays.tsx";
import { PlayButton } from "./player/play-button.tsx";
import { closePlayer } from "./player/player.ts";

const loaded = vi.hoisted(() => vi.fn());
vi.mock("./player/player-bar.tsx", async (original) => {
  loaded();
  return original();
});
afterEach(() => act(() => closePlayer()));

test("loads the player's bar with the first sample, and the toasts without it", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockReturnValue();
  const artist = { slug: "one", name: "One", picture_url: "/p.svg", photo_image: null };
  const track = { id: "a", title: "A", url: "/a.mp3", seconds: 62, bars: "z".repeat(96), price: "From $900", artist };
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <>
          <PlayButton track={track} />
          <Overlays />
        </>
      ),
    },
  ]);
  render(<Stub />);
  expect(screen.getByRole("region", { name: "Notifications" })).toBeTruthy();
  expect(loaded).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Play A by One" }));
  expect(await screen.findByRole("region", { name: "Player" })).toBeTruthy();
});

test("focuses the heading of the next page or section, unless the page has moved the focus itself", async () => {
  const Layout = () => (
    <>
      <Link to="/contact">Contact</Link>
      <Link to="/?sort=newest">Newest</Link>
      <Link to="/#list">Artists</Link>
      <Link to="/thanks">Thanks</Link>
      <main tabIndex={-1}>
        <Outlet />
      </main>
      <Overlays />
    </>
  );
  const Home = () => (
    <>
      <h1>Home</h1>
      <section id="list">
        <h2>All artists</h2>
      </section>
    </>
  );
  const Thanks = () => (
    <>
      <h1>Thanks</h1>
      <button ref={(button) => button?.focus()}>Next</button>
    </>
  );
  const children = [
    { path: "/", Component: Home },
    { path: "/contact", Component: () => <h1>Contact us</h1> },
    { path: "/thanks", Component: Thanks },
  ];
  const Stub = createRoutesStub([{ path: "/", Component: Layout, children }]);
  render(<Stub />);
  const follow = (name: string) => userEvent.click(screen.getByRole("link", { name }));
  const focused = () => document.activeElement?.textContent;
  await follow("Contact");
  await waitFor(() => expect(focused()).toBe("Contact us"));
  await follow("Artists");
  await waitFor(() => expect(focused()).toBe("All artists"));
  await follow("Thanks");
  expect(focused()).toBe("Next");
  // A changed query is the same page.
  await follow("Newest");
  await waitFor(() => expect(focused()).toBe("Home"));
});
