import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { formatDay } from "../lib/format/dates.ts";
import styles from "./poster-page.module.css";
import spotlight from "./spotlight.module.css";

type Props = Readonly<{
  artist: PosterSubject;
  night: Readonly<{ event_date: string; event_time: string }>;
  children: ReactNode;
}>;

export function PosterPage({ artist, night, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={`${spotlight.wall} ${styles.wall}`}>
        <span className="poster">
          <img src={posterUrl(artist)} width={600} height={800} alt={`Poster for ${artist.name}`} />
        </span>
        <p className={styles.strip}>
          <b>{formatDay(night.event_date, { year: true })}</b>
          {night.event_time.slice(0, 5)}, venue time
        </p>
      </div>
      <div className={styles.text}>{children}</div>
    </div>
  );
}

export const Amount = ({ children, remark }: Readonly<{ children: string; remark?: ReactNode }>) => (
  <p className={styles.amount}>
    <b className="num">{children}</b>
    {remark ? <span className="quiet">{remark}</span> : null}
  </p>
);
