import { Link } from "react-router";
import { useListAddress } from "../../dashboard/lists/address.ts";
import type { HeldNight } from "../../lib/api/artist-calendar.ts";
import styles from "./calendar.module.css";
import holds from "./holds.module.css";

export function useNightAddress(): (night: string) => string {
  const address = useListAddress();
  return (night) => address({ night });
}

export const describeHolds = ({ length }: readonly HeldNight[]): string =>
  length === 0 ? "" : `${length} ${length === 1 ? "hold" : "holds"}`;

export const Rank = ({ rank }: Readonly<{ rank: number }>) => (
  <b className={holds.rank} data-first={rank === 1 || undefined}>
    <span className="sr">Hold </span>
    {rank}
  </b>
);

const maxSlips = 2;

export function HoldSlips({ held }: Readonly<{ held: readonly HeldNight[] }>) {
  const address = useNightAddress();
  const rest = held.length - maxSlips;
  return (
    <>
      {held.slice(0, maxSlips).map(({ id, night, title, hold }) => (
        <Link
          key={id}
          className={`${styles.slip} ${holds.slip}`}
          data-kind="hold"
          to={address(night)}
          preventScrollReset
          tabIndex={-1}
        >
          <Rank rank={hold.rank} />
          <strong>{title}</strong>
          <span>{hold.challenged ? "must pay" : "on hold"}</span>
        </Link>
      ))}
      {rest > 0 ? <small className={holds.more}>{`${rest} more ${rest === 1 ? "hold" : "holds"}`}</small> : null}
    </>
  );
}

export function HoldRow({ held: { night, title, hold } }: Readonly<{ held: HeldNight }>) {
  const address = useNightAddress();
  return (
    <>
      <span className={`${styles.what} ${holds.row}`}>
        <Rank rank={hold.rank} />
        <Link to={address(night)} preventScrollReset>
          {title}
        </Link>
        <small>{hold.challenged ? "On hold, must pay now" : "On hold"}</small>
      </span>
      <span className={styles.end} />
    </>
  );
}
