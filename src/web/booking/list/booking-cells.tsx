import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { Link } from "react-router";
import { formatDay } from "../../lib/format/dates.ts";
import styles from "../../dashboard/lists/list.module.css";

export function ArtistCell({ artist, more }: Readonly<{ artist: PosterSubject; more: ReactNode }>) {
  return (
    <span className={styles.artist}>
      <img className={styles.mark} src={posterUrl(artist, "mark")} width={200} height={200} alt="" loading="lazy" />
      <span>
        <span className={styles.strong}>{artist.name}</span>
        <small className={styles.clamp}>{more}</small>
      </span>
    </span>
  );
}

export const NumberLink = ({ number, to }: Readonly<{ number: string; to: string }>) => (
  <Link className={`num ${styles.number}`} to={to}>
    {number}
  </Link>
);

export const CardLink = ({ to, children }: Readonly<{ to: string; children: ReactNode }>) => (
  <Link className={styles.open} to={to}>
    {children}
  </Link>
);

export const TwoLines = ({ first, second }: Readonly<{ first: ReactNode; second: ReactNode }>) => (
  <>
    {first}
    <small className={styles.clamp}>{second}</small>
  </>
);

type Event = Readonly<{ event_date: string; event_time: string }>;

export function EventCell({ booking }: Readonly<{ booking: Event }>) {
  return (
    <>
      {formatDay(booking.event_date, { short: true, year: true })}
      <small>{booking.event_time}</small>
    </>
  );
}

export const formatEvent = (booking: Event): string =>
  `${formatDay(booking.event_date, { short: true, year: true })}, ${booking.event_time}`;
