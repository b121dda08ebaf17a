import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { Link } from "react-router";
import { formatDay } from "../../lib/format/dates.ts";
import styles from "../../dashboard/lists/list.module.css";

type RowLinkProps = Readonly<{
  to: string;
  name: string;
  more?: ReactNode;
  moreTitle?: string;
  artist?: PosterSubject | undefined;
}>;

export function RowLink({ to, name, more, moreTitle, artist }: RowLinkProps) {
  const link = (
    <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
      <span className={styles.strong} title={name}>
        {name}
      </span>
      {more ? <small title={moreTitle ?? titleOf(more)}> {more}</small> : null}
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

export const CardLink = ({ to, children }: Readonly<{ to: string; children: ReactNode }>) => (
  <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
    {children}
  </Link>
);

export const TwoLines = ({ first, second }: Readonly<{ first: ReactNode; second: ReactNode }>) => (
  <>
    {typeof first === "string" ? <span title={first}>{first}</span> : first}
    {second ? <small title={titleOf(second)}>{second}</small> : null}
  </>
);

const titleOf = (content: ReactNode): string | undefined => (typeof content === "string" ? content : undefined);

type Event = Readonly<{ event_date: string; event_time: string }>;

export const formatEvent = (booking: Event): string =>
  `${formatDay(booking.event_date, { short: true, year: true })}, ${booking.event_time}`;
