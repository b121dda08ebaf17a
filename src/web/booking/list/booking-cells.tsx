import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { Link } from "react-router";
import { formatDay } from "../../lib/format/dates.ts";
import styles from "../../dashboard/lists/list.module.css";

type RowLinkProps = Readonly<{ to: string; name: ReactNode; more?: ReactNode; artist?: PosterSubject | undefined }>;

/** The link of a row: what it is about, with its number or place below. It is as large as the row. */
export function RowLink({ to, name, more, artist }: RowLinkProps) {
  const link = (
    <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
      <span className={styles.strong}>{name}</span>
      {more ? <small> {more}</small> : null}
    </Link>
  );
  if (!artist) return link;
  return (
    <span className={styles.artist}>
      <img className={styles.mark} src={posterUrl(artist, "mark")} width={200} height={200} alt="" loading="lazy" />
      {link}
    </span>
  );
}

/** A name in two lines where one is too short. */
export const Name = ({ children }: Readonly<{ children: string }>) => (
  <span className={styles.twoLines} title={children}>
    {children}
  </span>
);

export const CardLink = ({ to, children }: Readonly<{ to: string; children: ReactNode }>) => (
  <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
    {children}
  </Link>
);

export const TwoLines = ({ first, second }: Readonly<{ first: ReactNode; second: ReactNode }>) => (
  <>
    {first}
    {second ? <small title={typeof second === "string" ? second : undefined}>{second}</small> : null}
  </>
);

type Event = Readonly<{ event_date: string; event_time: string }>;

export const formatEvent = (booking: Event): string =>
  `${formatDay(booking.event_date, { short: true, year: true })}, ${booking.event_time}`;
