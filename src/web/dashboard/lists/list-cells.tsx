import type { ReactNode } from "react";
import { Link } from "react-router";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import styles from "./list.module.css";

/** An address with only a query stays on the page. */
export const CardLink = ({ to, children }: Readonly<{ to: string; children: ReactNode }>) => (
  <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
    {children}
  </Link>
);

type RowLinkProps = Readonly<{
  to: string;
  name: string;
  more?: ReactNode;
  moreTitle?: string;
  artist?: PosterSubject | undefined;
}>;

export function RowLink({ to, name, more, moreTitle, artist }: RowLinkProps) {
  const link = (
    <CardLink to={to}>
      <span className={styles.strong} title={name}>
        {name}
      </span>
      {more ? <small title={moreTitle ?? titleOf(more)}> {more}</small> : null}
    </CardLink>
  );
  if (!artist) return link;
  return (
    <span className={styles.artist}>
      <img className={styles.mark} src={posterUrl(artist, "mark")} width={200} height={200} alt="" loading="lazy" />
      {link}
    </span>
  );
}

export const TwoLines = ({ first, second }: Readonly<{ first: ReactNode; second: ReactNode }>) => (
  <>
    {typeof first === "string" ? <span title={first}>{first}</span> : first}
    {second ? <small title={titleOf(second)}>{second}</small> : null}
  </>
);

const titleOf = (content: ReactNode): string | undefined => (typeof content === "string" ? content : undefined);
