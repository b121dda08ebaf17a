import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { watchLostFocus } from "../lib/browser/lost-focus.ts";
import { PlayButton } from "./play-button.tsx";
import { PlayerBar } from "./player-bar.tsx";
import { clockTime, closePlayer, type Track } from "./player.ts";

const track = (id: string): Track => ({
  id,
  title: id,
  url: `/storage/${id}.mp3`,
  seconds: 62,
  bars: "z".repeat(96),
  price: "From $900",
  artist: { slug: "one", name: "One", picture_url: "/p.svg", photo_image: null },
});
const queue = [track("First"), track("Second")] as const;

const play = vi.fn();
const pause = vi.fn();
beforeEach(() => {
  play.mockReset().mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("playing"));
    return Promise.resolve();
  });
  pause.mockReset().mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("pause"));
  });
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(play);
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(pause);
});
afterEach(() => act(() => closePlayer()));

function show(address = "/") {
  const Page = () => (
    <>
      {queue.map((one) => (
        <PlayButton key={one.id} track={one} queue={queue} />
      ))}
      <PlayerBar />
    </>
  );
  const Stub = createRoutesStub([{ path: "*", Component: Page }]);
  render(<Stub initialEntries={[address]} />);
}
const button = (name: string) => screen.getAllByRole("button", { name })[0] as HTMLElement;
const press = (name: string) => fireEvent.click(button(name));
const position = () => (screen.getByRole("slider", { name: "Position" }) as HTMLInputElement).value;

test("plays nothing and shows no player before a click", () => {
  show();
  expect(screen.queryByRole("region", { name: "Player" })).toBeNull();
  expect(play).not.toHaveBeenCalled();
});

test.each([
  ["/", 1],
  [paths.artist("one"), 0],
])("on %s links to the artist's profile: %d", (address, count) => {
  show(address);
  press("Play First by One");
  expect(screen.queryAllByRole("link", { name: "View profile" })).toHaveLength(count);
});

test("plays one sample at a time, and pauses it with its button", () => {
  show();
  press("Play First by One");
  expect(screen.getByRole("status").textContent).toBe("Playing First by One");
  press("Play Second by One");
  expect(screen.getAllByRole("button", { name: "Pause Second by One" })).toHaveLength(2);
  expect(button("Play First by One")).toBeTruthy();
  press("Pause Second by One");
  expect(pause).toHaveBeenCalled();
  expect(screen.getAllByRole("button", { name: "Play Second by One" })).toHaveLength(2);
});

test("plays and pauses on Space, seeks five seconds by arrow keys within the sample, and mutes on M", () => {
  show();
  press("Play First by One");
  const slider = screen.getByRole("slider", { name: "Position" });
  fireEvent.keyDown(slider, { key: "ArrowRight" });
  fireEvent.keyDown(slider, { key: "ArrowRight" });
  expect([position(), slider.getAttribute("aria-valuetext")]).toEqual(["10", "0:10 of 1:02"]);
  for (const _ of "three") fireEvent.keyDown(slider, { key: "ArrowLeft" });
  expect(position()).toBe("0");
  fireEvent.keyDown(slider, { key: "m" });
  expect(button("Mute").getAttribute("aria-pressed")).toBe("true");
  fireEvent.keyDown(slider, { key: " " });
  expect(pause).toHaveBeenCalledTimes(1);
});

test("moves through the artist's samples with the previous and next buttons", () => {
  show();
  press("Play First by One");
  expect((button("Previous sample") as HTMLButtonElement).disabled).toBe(true);
  press("Next sample");
  expect(screen.getAllByRole("button", { name: "Pause Second by One" })).toHaveLength(2);
  expect((button("Next sample") as HTMLButtonElement).disabled).toBe(true);
});

test("reports a sample that cannot be played", async () => {
  play.mockRejectedValue(new DOMException("no source", "NotSupportedError"));
  show();
  press("Play First by One");
  expect(await screen.findByText("This sample can’t be played. Press play to try again.")).toBeTruthy();
});

test("stops the sound on close, and returns the focus", async () => {
  onTestFinished(watchLostFocus());
  show();
  press("Play First by One");
  act(() => button("Close player").focus());
  press("Close player");
  expect(pause).toHaveBeenCalled();
  expect(screen.queryByRole("region", { name: "Player" })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button("Play First by One")));
});

test.each([
  [0, "0:00"],
  [62.7, "1:02"],
  [600, "10:00"],
])("clockTime writes %d seconds as %s", (seconds, text) => expect(clockTime(seconds)).toBe(text));
