import { Link } from "react-router";
import styles from "./calendar.module.css";
import holds from "./hold-entries.module.css";

/** A ranked hold of one night. `name` is the other party, `to` where the viewer manages the hold. */
export type CalendarHold = Readonly<{
  id: string;
  night: string;
  rank: number;
  name: string;
  to: string;
  shortText: string;
  text: string;
}>;

export const describeHolds = ({ length }: readonly CalendarHold[]): string =>
  length === 0 ? "" : `${length} ${length === 1 ? "hold" : "holds"}`;

export const Rank = ({ rank }: Readonly<{ rank: number }>) => (
  <b className={holds.rank} data-first={rank === 1 || undefined}>
    <span className="sr">Hold </span>
    {rank}
  </b>
);

const maxSlips = 2;

/** A link with only a query stays on the page. */
const linkTo = (to: string) => ({ to, preventScrollReset: to.startsWith("?") });

export function HoldSlips({ held }: Readonly<{ held: readonly CalendarHold[] }>) {
  const rest = held.length - maxSlips;
  return (
    <>
      {held.slice(0, maxSlips).map(({ id, rank, name, to, shortText }) => (
        <Link key={id} className={`${styles.slip} ${holds.slip}`} data-kind="hold" {...linkTo(to)} tabIndex={-1}>
          <Rank rank={rank} />
          <strong>{name}</strong>
          <span>{shortText}</span>
        </Link>
      ))}
      {rest > 0 ? <small className={holds.more}>{`${rest} more ${rest === 1 ? "hold" : "holds"}`}</small> : null}
    </>
  );
}

export const HoldRow = ({ held: { rank, name, to, text } }: Readonly<{ held: CalendarHold }>) => (
  <>
    <span className={`${styles.what} ${holds.row}`}>
      <Rank rank={rank} />
      <Link {...linkTo(to)}>{name}</Link>
      <small>{text}</small>
    </span>
    <span className={styles.end} />
  </>
);
