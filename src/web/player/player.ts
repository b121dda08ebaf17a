/** The site's only player. It is outside the pages, so it plays across navigation. It loads nothing before the first start. */

import type { ArtistCard } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import type { ArtistSample } from "#artists/sample.api.ts";
import { makeStore } from "../lib/store.ts";
import { firstPlay } from "./first-play.ts";

export type PlayableArtist = Pick<
  ArtistCard,
  "slug" | "name" | "picture_url" | "photo_image" | "base_rate" | "top_rate" | "currency" | "price_confirmed"
>;

export type Track = ArtistSample &
  Readonly<{ artist: Pick<ArtistCard, "slug" | "name" | "picture_url" | "photo_image">; price: string }>;

export const trackOf = (artist: PlayableArtist, sample: ArtistSample): Track => ({
  ...sample,
  artist,
  price: priceFrom(artist),
});

export type PlayerState = Readonly<{
  track: Track | undefined;
  queue: readonly Track[];
  status: "paused" | "loading" | "playing" | "failed";
  time: number;
  muted: boolean;
}>;

const closed: PlayerState = { track: undefined, queue: [], status: "paused", time: 0, muted: false };
const { get, set, useValue } = makeStore(closed);

const change = (next: Partial<PlayerState>): void => set({ ...get(), ...next });

export const usePlayer = useValue;

let sound: HTMLAudioElement | undefined;

function openSound(): HTMLAudioElement {
  if (sound) return sound;
  const audio = new Audio();
  audio.preload = "none";
  audio.addEventListener("playing", () => change({ status: "playing" }));
  audio.addEventListener("waiting", () => change({ status: "loading" }));
  audio.addEventListener("timeupdate", () => change({ time: audio.currentTime }));
  audio.addEventListener("pause", () => get().status !== "failed" && change({ status: "paused" }));
  audio.addEventListener("ended", () => {
    if (!playNext(1)) change({ status: "paused", time: 0 });
  });
  audio.addEventListener("error", () => get().track && change({ status: "failed" }));
  sound = audio;
  return audio;
}

/** Plays a track, or pauses a playing one. `queue` is the list of the previous and next buttons. */
export function togglePlay(track: Track, queue: readonly Track[] = [track]): void {
  const state = get();
  const isCurrent = state.track?.id === track.id;
  if (isCurrent && (state.status === "playing" || state.status === "loading")) return openSound().pause();
  start(track, { queue, from: isCurrent && state.status === "paused" ? state.time : 0 });
}

function start(track: Track, { queue, from }: { queue: readonly Track[]; from: number }): void {
  firstPlay.set(true);
  const audio = openSound();
  const state = get();
  if (state.track?.id !== track.id || state.status === "failed" || !audio.src.endsWith(track.url))
    audio.src = track.url;
  audio.currentTime = from;
  audio.muted = state.muted;
  change({ track, queue, status: "loading", time: from });
  // A start interrupted by the next one is not a failure. An unplayable file also fires an error event.
  audio.play().catch((error: unknown) => {
    if (get().track?.id === track.id && !(error instanceof DOMException && error.name === "AbortError"))
      change({ status: "failed" });
  });
}

export function playNext(step: 1 | -1): boolean {
  const next = neighborOf(get(), step);
  if (!next) return false;
  start(next, { queue: get().queue, from: 0 });
  return true;
}

export const neighborOf = ({ queue, track }: Pick<PlayerState, "queue" | "track">, step: 1 | -1): Track | undefined =>
  queue[queue.findIndex(({ id }) => id === track?.id) + step];

export function seekTo(seconds: number): void {
  const { track } = get();
  if (!track || !sound) return;
  const time = Math.min(Math.max(0, seconds), track.seconds);
  sound.currentTime = time;
  change({ time });
}

export function toggleMute(): void {
  const muted = !get().muted;
  if (sound) sound.muted = muted;
  change({ muted });
}

export function closePlayer(): void {
  sound?.pause();
  sound?.removeAttribute("src");
  change({ ...closed, muted: get().muted });
}

const seekStep = 5;

export function pressPlayerKey(key: string): boolean {
  if (key === "ArrowRight") seekTo(get().time + seekStep);
  else if (key === "ArrowLeft") seekTo(get().time - seekStep);
  else if (key === "m" || key === "M") toggleMute();
  else return false;
  return true;
}

export const clockTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
