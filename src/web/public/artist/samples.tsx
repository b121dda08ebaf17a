import type { ArtistProfile } from "#artists/api.ts";
import { PlayButton } from "../../player/play-button.tsx";
import { clockTime, trackOf, usePlayer, type Track } from "../../player/player.ts";
import { Waveform } from "../../player/waveform.tsx";
import styles from "./samples.module.css";

export function Samples({ artist }: { artist: ArtistProfile }) {
  const tracks = artist.samples.map((sample) => trackOf(artist, sample));
  return (
    <ol className={styles.samples}>
      {tracks.map((track) => (
        <Sample key={track.id} track={track} queue={tracks} />
      ))}
    </ol>
  );
}

function Sample({ track, queue }: { track: Track; queue: readonly Track[] }) {
  const time = usePlayer((now) => (now.track?.id === track.id ? now.time : 0));
  return (
    <li>
      <PlayButton track={track} queue={queue} />
      <span className={styles.title}>
        <strong>{track.title}</strong>
        <span className="num small quiet">{clockTime(track.seconds)}</span>
      </span>
      <span className={styles.wave}>
        <Waveform bars={track.bars} played={time / track.seconds} />
      </span>
    </li>
  );
}
