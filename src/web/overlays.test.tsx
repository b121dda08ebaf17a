import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import Overlays from "./overlays.tsx";
import { PlayButton } from "./player/play-button.tsx";
import { closePlayer } from "./player/player.ts";

const loaded = vi.hoisted(() => vi.fn());
vi.mock("./player/player-bar.tsx", async (original) => {
  loaded();
  return original();
});
afterEach(() => {
  act(() => closePlayer());
  cleanup();
});

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
