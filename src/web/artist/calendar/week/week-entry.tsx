import { CalendarClock, CircleQuestionMark, CreditCard, Lock, Moon, TriangleAlert } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Rank } from "../../../booking/calendar/hold-entries.tsx";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import type { CalendarEntry } from "../../../lib/api/artist-calendar.ts";
import { timeIn } from "../../../lib/format/dates.ts";
import { UnblockButton } from "../busy-times.tsx";
import type { Block } from "./week-layout.ts";
import styles from "./week.module.css";

type Shown = Readonly<{ zone: string; longDrives: ReadonlySet<string> }>;

const signs = { show: Moon, request: CircleQuestionMark, hold: CreditCard, blocked: Lock, external: CalendarClock };
const labels = {
  show: "Show",
  request: "Request",
  hold: "At the checkout",
  blocked: "Blocked",
  external: "Busy elsewhere",
};

export function WeekBlock({ block, ...shown }: Shown & Readonly<{ block: Block }>) {
  const { entries, from, to, lane, lanes } = block;
  const rest = entries.slice(maxHolds);
  return (
    <div
      className={styles.block}
      data-several={entries.length > 1 || undefined}
      style={{ "--from": from / 60, "--to": to / 60, "--lane": lane, "--lanes": lanes } as CSSProperties}
    >
      {entries.slice(0, maxHolds).map((entry) => (
        <WeekEntry key={entry.id} entry={entry} {...shown} />
      ))}
      {rest.length > 0 ? <MoreHolds night={rest[0]?.night ?? ""} count={rest.length} /> : null}
    </div>
  );
}

const maxHolds = 2;

function MoreHolds({ night, count }: Readonly<{ night: string; count: number }>) {
  const address = useListAddress();
  return (
    <Link className={styles.more} to={address({ night })} preventScrollReset>
      {count} more {count === 1 ? "hold" : "holds"}
    </Link>
  );
}

export function WeekEntry({
  entry,
  zone,
  longDrives,
  allNight = false,
}: Shown & Readonly<{ entry: CalendarEntry; allNight?: boolean }>) {
  const address = useListAddress();
  const { kind, title, booking_id, hold, night } = entry;
  const Sign = signs[kind];
  const times = [entry.starts_at, entry.ends_at].map((at) => timeIn(zone, new Date(at))).join(" to ");
  const target = hold ? address({ night }) : booking_id ? paths.artistArea.booking(booking_id) : undefined;
  const isNamed = kind !== "external" && title.toLowerCase() !== "blocked";
  return (
    <div className={styles.entry} data-kind={kind} data-conflict={entry.conflict || undefined}>
      <span className={styles.kind}>
        {hold ? <Rank rank={hold.rank} /> : <Sign size={14} aria-hidden />}
        <span>{hold ? (hold.challenged ? "Must pay" : "On hold") : labels[kind]}</span>
      </span>
      {entry.conflict ? <Flag>Conflict</Flag> : null}
      {booking_id && longDrives.has(booking_id) ? <Flag>Long drive</Flag> : null}
      {allNight ? null : <span className={styles.time}>{times}</span>}
      {target ? (
        <Link to={target} preventScrollReset={hold !== null}>
          {title}
        </Link>
      ) : isNamed ? (
        <span>{title}</span>
      ) : null}
      {kind === "blocked" ? <UnblockButton busy={{ ...entry, kind }} /> : null}
    </div>
  );
}

const Flag = ({ children }: Readonly<{ children: ReactNode }>) => (
  <strong className={styles.flag}>
    <TriangleAlert size={14} aria-hidden /> {children}
  </strong>
);
