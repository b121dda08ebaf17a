import { Menu } from "@mantine/core";
import { CalendarClock, CircleQuestionMark, CreditCard, Lock, Moon, TriangleAlert } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { CalendarLegend, Rank } from "../../../booking/calendar/calendar-entries.tsx";
import { useNow } from "../../../booking/use-now.ts";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import { ActionsMenu } from "../../../dashboard/lists/list-cells.tsx";
import { ListFailed } from "../../../dashboard/lists/list-states.tsx";
import {
  type ArtistCalendar,
  type CalendarEntry,
  useArtistWeek,
  useLongDrives,
} from "../../../lib/api/artist/calendar.ts";
import { addDays, formatDay, formatDayAndMonth, isDay, timeIn } from "../../../lib/format/dates.ts";
import { StepLink } from "../../../ui/calendar/calendar.tsx";
import { LoadingStatus, Skeleton } from "../../../ui/states/skeleton.tsx";
import { UnblockButton } from "../busy-times.tsx";
import { CalendarButtons, NightItems } from "../night-items.tsx";
import { labelOfNight, stateOfNight } from "../night-status.ts";
import {
  type Block,
  clockMinutes,
  daysOfWeek,
  hoursOf,
  mondayOf,
  nightColumn,
  type NightColumn,
} from "./week-layout.ts";
import kinds from "../../../booking/calendar/kinds.module.css";
import styles from "./week.module.css";

export const weekOfAddress = (text: string | null, today: string): string =>
  mondayOf(text && isDay(text) ? text : today);

function weekText(monday: string): string {
  const sunday = addDays(monday, 6);
  const first = formatDayAndMonth(monday);
  const isOneMonth = monday.slice(0, 7) === sunday.slice(0, 7);
  return `${isOneMonth ? first.split(" ")[0] : first} to ${formatDayAndMonth(sunday)} ${sunday.slice(0, 4)}`;
}

type ViewProps = Readonly<{ monday: string; today: string; children?: ReactNode }>;

/** `today` is in the artist's time zone, like the nights. */
export function WeekView({ monday, today, children }: ViewProps) {
  const address = useListAddress();
  const query = useArtistWeek(monday);
  const data = query.data;
  const failed = query.error && !query.isFetching;
  const first = [monday, today].toSorted().at(-1) ?? monday;
  return (
    <>
      <section className={styles.view} aria-label="Calendar" aria-busy={query.isFetching || undefined}>
        <div className={styles.head}>
          <StepLink label="Previous week" by={-1} to={address({ week: addDays(monday, -7) })} />
          <h2 aria-live="polite">{weekText(monday)}</h2>
          <StepLink label="Next week" by={1} to={address({ week: addDays(monday, 7) })} />
          <CalendarButtons
            toToday={address({ week: "" })}
            suggested={data && { nights: { from: first, to: first, today }, data }}
          />
        </div>
        {failed ? (
          <ListFailed what="The calendar" query={query} />
        ) : data ? (
          <Week monday={monday} today={today} data={data} />
        ) : (
          <WeekLoading />
        )}
      </section>
      <div hidden={!data && !failed}>{children}</div>
    </>
  );
}

function Week({ monday, today, data }: Readonly<{ monday: string; today: string; data: ArtistCalendar }>) {
  const zone = { zone: data.time_zone, nightEndsAt: data.night_ends_at };
  const columns = daysOfWeek(monday).map((night) => nightColumn(data.items, night, zone));
  const { first, last } = hoursOf(columns);
  const hours = Array.from({ length: last - first }, (_, at) => first + at);
  return (
    <>
      <div
        className={`${styles.grid} ${kinds.kinds}`}
        style={{ "--hours": hours.length, "--first": first } as CSSProperties}
      >
        <ol className={styles.hours} aria-hidden>
          {hours.map((hour) => (
            <li key={hour}>{hour % 2 === 0 ? `${String(hour % 24).padStart(2, "0")}:00` : ""}</li>
          ))}
        </ol>
        <ul className={styles.nights}>
          {columns.map((column) => (
            <Night key={column.night} column={column} today={today} data={data} hours={{ first, last }} />
          ))}
        </ul>
      </div>
      <CalendarLegend shown={data.items.map(colorOf)} />
      <p className={`small quiet ${styles.foot}`}>
        Times are in {formatTimeZone(data.time_zone)}. A night ends at {data.night_ends_at}, so a show past midnight
        belongs to its evening.
      </p>
    </>
  );
}

type NightProps = Readonly<{
  column: NightColumn;
  today: string;
  data: ArtistCalendar;
  hours: ReturnType<typeof hoursOf>;
}>;

function Night({ column, today, data, hours }: NightProps) {
  const { night, allNight, blocks } = column;
  const now = clockMinutes(useNow(minuteMs), night, data.time_zone) / 60;
  const longDrives = useLongDrives();
  const isClosed = data.closed.includes(night);
  const label = labelOfNight(data, night, "Closed to requests");
  const shown = { zone: data.time_zone, longDrives };
  const name = formatDay(night, { short: true });
  return (
    <li aria-current={night === today ? "date" : undefined} data-closed={isClosed || undefined}>
      <div className={styles.day}>
        <h3>
          {name.split(" ")[0]} <b>{Number(night.slice(8))}</b>
        </h3>
        {stateOfNight(data, night) === "past" ? null : (
          <ActionsMenu name={name}>
            <NightItems nights={{ from: night, to: night }} today={today} data={data} item={Menu.Item} />
          </ActionsMenu>
        )}
      </div>
      <div className={styles.all}>
        {label ? <p className="small quiet">{label}</p> : null}
        {allNight.map((entry) => (
          <WeekEntry key={entry.id} entry={entry} allNight {...shown} />
        ))}
      </div>
      <div className={styles.times}>
        {blocks.map((block) => (
          <WeekBlock key={block.entries[0]?.id} block={block} {...shown} />
        ))}
        {hours.first <= now && now < hours.last ? (
          <i className={styles.now} style={{ "--from": now } as CSSProperties} aria-hidden />
        ) : null}
        {allNight.length + blocks.length === 0 && !label && night >= today ? (
          <p className={styles.free}>Nothing planned</p>
        ) : null}
      </div>
    </li>
  );
}

const WeekLoading = () => (
  <>
    <LoadingStatus what="the calendar" />
    <Skeleton className={styles.loading ?? ""} aria-hidden />
  </>
);

function colorOf({ kind, status }: CalendarEntry): string {
  if (kind !== "show" || !status) return kind;
  return status === "initiated" ? "request" : status;
}

type Shown = Readonly<{ zone: string; longDrives: ReadonlySet<string> }>;

const signs = { show: Moon, request: CircleQuestionMark, hold: CreditCard, blocked: Lock, external: CalendarClock };
const labels = {
  show: "Show",
  request: bookingStatusLabel("initiated"),
  hold: "At the checkout",
  blocked: "Blocked",
  external: "Busy elsewhere",
};

function WeekBlock({ block, ...shown }: Shown & Readonly<{ block: Block }>) {
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

function WeekEntry({
  entry,
  zone,
  longDrives,
  allNight = false,
}: Shown & Readonly<{ entry: CalendarEntry; allNight?: boolean }>) {
  const address = useListAddress();
  const { kind, title, venue, booking_id, hold, night } = entry;
  const Sign = signs[kind];
  const times = [entry.starts_at, entry.ends_at].map((at) => timeIn(zone, new Date(at))).join(" to ");
  const target = hold ? address({ night }) : booking_id ? paths.artistArea.booking(booking_id) : undefined;
  const isNamed = title.toLowerCase() !== labels[kind].toLowerCase();
  return (
    <div className={styles.entry} data-kind={colorOf(entry)} data-conflict={entry.conflict || undefined}>
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
      {venue ? <span className={styles.venue}>{venue}</span> : null}
      {kind === "blocked" ? <UnblockButton busy={{ ...entry, kind }} /> : null}
    </div>
  );
}

const Flag = ({ children }: Readonly<{ children: ReactNode }>) => (
  <strong className={styles.flag}>
    <TriangleAlert size={14} aria-hidden /> {children}
  </strong>
);
