import type { KeyboardEvent } from "react";
import { useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../ui/button.tsx";
import { ArtistPicture } from "../ui/picture.tsx";
import { PlayerIcon } from "./icons.tsx";
import { PlayButton } from "./play-button.tsx";
import {
  clockTime,
  closePlayer,
  neighborOf,
  playNext,
  type PlayerState,
  pressPlayerKey,
  seekTo,
  togglePlay,
  toggleMute,
  type Track,
  usePlayer,
} from "./player.ts";
import { Waveform } from "./waveform.tsx";
import styles from "./player.module.css";

export function PlayerBar() {
  const track = usePlayer((now) => now.track);
  return track ? <Bar track={track} /> : null;
}

function Bar({ track }: { track: Track }) {
  const queue = usePlayer((now) => now.queue);
  const status = usePlayer((now) => now.status);
  const muted = usePlayer((now) => now.muted);
  const { pathname } = useLocation();
  const profile = paths.artist(track.artist.slug);
  return (
    <section className={styles.player} data-player aria-label="Player">
      <p className="sr" role="status">
        {statusText(status, track)}
      </p>
      <span className={`poster ${styles.poster}`}>
        <ArtistPicture artist={track.artist} sizes="3rem" alt="" />
      </span>
      <p className={styles.title}>
        <strong>{track.title}</strong>
        <span>
          {status === "failed"
            ? "This sample can’t be played. Press play to try again."
            : `${track.artist.name}, ${track.price}`}
        </span>
      </p>
      <div className={styles.controls}>
        <Step step={-1} queue={queue} track={track} />
        <PlayButton track={track} queue={queue} />
        <Step step={1} queue={queue} track={track} />
      </div>
      <Seek track={track} queue={queue} />
      <div className={styles.more}>
        <button type="button" className={styles.sign} aria-pressed={muted} aria-label="Mute" onClick={toggleMute}>
          <PlayerIcon shape={muted ? "muted" : "sound"} />
        </button>
        {pathname === profile ? null : (
          <LinkButton tone="line" size="sm" to={profile}>
            View profile
          </LinkButton>
        )}
      </div>
      <button type="button" className={styles.sign} aria-label="Close player" onClick={closePlayer}>
        <PlayerIcon shape="close" />
      </button>
    </section>
  );
}

const statusText = (status: PlayerState["status"], { title, artist }: Track): string => {
  if (status === "playing") return `Playing ${title} by ${artist.name}`;
  return status === "failed" ? "This sample can’t be played." : "";
};

function pressKey(event: KeyboardEvent, track: Track, queue: readonly Track[]): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") togglePlay(track, queue);
  else if (!pressPlayerKey(event.key)) return;
  event.preventDefault();
}

function Step({ step, queue, track }: Readonly<{ step: 1 | -1; queue: readonly Track[]; track: Track }>) {
  if (queue.length < 2) return null;
  return (
    <button
      type="button"
      className={`${styles.sign} ${styles.step}`}
      aria-label={step === 1 ? "Next sample" : "Previous sample"}
      disabled={!neighborOf({ queue, track }, step)}
      onClick={() => playNext(step)}
    >
      <PlayerIcon shape={step === 1 ? "forward" : "back"} />
    </button>
  );
}

function Seek({ track, queue }: Readonly<{ track: Track; queue: readonly Track[] }>) {
  const time = usePlayer((now) => now.time);
  const part = Math.min(1, time / track.seconds);
  return (
    <div className={styles.seek}>
      <span aria-hidden="true">{clockTime(time)}</span>
      <span className={styles.slider}>
        <Waveform bars={track.bars} played={part} />
        <input
          type="range"
          min={0}
          max={track.seconds}
          step="any"
          value={Math.min(time, track.seconds)}
          aria-label="Position"
          aria-valuetext={`${clockTime(time)} of ${clockTime(track.seconds)}`}
          onKeyDown={(event) => pressKey(event, track, queue)}
          onChange={(event) => seekTo(Number(event.currentTarget.value))}
        />
      </span>
      <span aria-hidden="true">{clockTime(track.seconds)}</span>
      <i className={styles.line} style={{ transform: `scaleX(${part})` }} />
    </div>
  );
}
