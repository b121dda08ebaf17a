import { PlayerIcon } from "./icons.tsx";
import { pressPlayerKey, togglePlay, type Track, usePlayer } from "./player.ts";
import styles from "./play-button.module.css";

export function PlayButton({ track, queue }: Readonly<{ track: Track; queue?: readonly Track[] }>) {
  const status = usePlayer((now) => (now.track?.id === track.id ? now.status : "paused"));
  const isOn = status === "playing" || status === "loading";
  return (
    <button
      type="button"
      className={styles.play}
      data-on={isOn || undefined}
      aria-label={`${isOn ? "Pause" : "Play"} ${track.title} by ${track.artist.name}`}
      aria-busy={status === "loading" || undefined}
      onClick={() => togglePlay(track, queue)}
      onKeyDown={(event) => {
        if (isOn && pressPlayerKey(event.key)) event.preventDefault();
      }}
    >
      <PlayerIcon shape={isOn ? "pause" : "play"} />
    </button>
  );
}
