import "@mantine/core/styles/Drawer.layer.css";
import { CloseButton, Drawer } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { Rank } from "../../../booking/calendar/calendar-entries.tsx";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import { SectionLoading, SectionFailed } from "../../../dashboard/section-failed.tsx";
import { type BusyTime, useBusyTimes } from "../../../lib/api/artist/calendar.ts";
import { type QueuedHold, useQueue } from "../../../lib/api/artist/holds.ts";
import { type ArtistBooking, useArtistMonth } from "../../../lib/api/booking-lists.ts";
import { phoneQuery, useMediaQuery } from "../../../lib/browser/use-media-query.ts";
import { addDays, formatDay } from "../../../lib/format/dates.ts";
import { monthOfText } from "../../../lib/format/months.ts";
import { Button } from "../../../ui/button.tsx";
import { DetailRow } from "../../../ui/detail-row.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { BusyRow, isBusyOn } from "../busy-times.tsx";
import { useOpenOrBlockNights } from "../night-items.tsx";
import { canAddHold, describeNight, type NightData, stateOfNight } from "../night-status.ts";
import { HoldForm, type HoldTask } from "./hold-forms.tsx";
import { QueueRow } from "./queue-row.tsx";
import styles from "../holds.module.css";

const besideQuery = "(min-width: 90rem)";

/** Shows a night's queue beside the calendar, over it, or as a bottom sheet on a phone. The address contains the night until it closes. */
export function WithNightPanel({ night, children }: Readonly<{ night: string | undefined; children: ReactNode }>) {
  const isBeside = useMediaQuery(besideQuery);
  return (
    <div className={night && isBeside ? styles.beside : undefined}>
      <div>{children}</div>
      {night ? <NightPanel night={night} isBeside={isBeside} /> : null}
    </div>
  );
}

function NightPanel({ night, isBeside }: Readonly<{ night: string; isBeside: boolean }>) {
  const onPhone = useMediaQuery(phoneQuery);
  const address = useListAddress();
  const navigate = useNavigate();
  const close = () => void navigate(address({ night: "" }), { preventScrollReset: true });
  if (isBeside) return <BesidePanel night={night} onClose={close} />;
  return (
    <Drawer
      opened
      onClose={close}
      title={formatDay(night)}
      position={onPhone ? "bottom" : "right"}
      size={onPhone ? "auto" : "24rem"}
      overlayProps={{ color: "#140e1c", backgroundOpacity: 0.3 }}
      closeButtonProps={{ "aria-label": "Close", size: "2.75rem", iconSize: "1.25rem" }}
      classNames={{ title: styles.title ?? "", content: styles.panel ?? "", body: styles.body ?? "" }}
    >
      <NightQueue key={night} night={night} />
    </Drawer>
  );
}

function BesidePanel({ night, onClose }: Readonly<{ night: string; onClose(): void }>) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [night]);
  useEffect(() => {
    const element = panel.current;
    const onKeyDown = (event: KeyboardEvent) => {
      // Escape first closes an open menu of the panel.
      const hasOpenMenu = element?.querySelector('[aria-expanded="true"]') != null;
      if (event.key === "Escape" && !hasOpenMenu) onClose();
    };
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby="night-panel"
      tabIndex={-1}
      className={`${styles.panel} ${styles.aside}`}
    >
      <header>
        <h2 id="night-panel" className={styles.title}>
          {formatDay(night)}
        </h2>
        <CloseButton size="lg" aria-label="Close" onClick={onClose} />
      </header>
      <div className={styles.body}>
        <NightQueue key={night} night={night} />
      </div>
    </section>
  );
}

function NightQueue({ night }: Readonly<{ night: string }>) {
  const queue = useQueue(night);
  const { loaded, ...entries } = useNightEntries(night);
  const [task, setTask] = useState<HoldTask>();
  const error = queue.error ?? entries.error;
  if (error && !(queue.data && loaded)) {
    const refetch = () => {
      void queue.refetch();
      entries.refetch();
    };
    return <SectionFailed what="This night" query={{ error, refetch }} />;
  }
  if (!queue.data || !loaded) return <SectionLoading title="This night" lines={5} />;
  const { items } = queue.data;
  if (task) {
    const { time_zone: timeZone } = loaded.data;
    return <HoldForm night={night} queue={items} task={task} timeZone={timeZone} onClose={() => setTask(undefined)} />;
  }
  return (
    <>
      <NightEntryList night={night} entries={loaded.entries} />
      <NightStatus night={night} data={loaded.data} hasQueue={items.length > 0} />
      {items.length === 0 ? null : <Queue night={night} items={items} onTask={setTask} />}
    </>
  );
}

/** Displays whether promoters can request the night, and if not, why. Renders nothing if the queue of holds is the only reason. */
function NightStatus({ night, data, hasQueue }: Readonly<{ night: string; data: NightData; hasQueue: boolean }>) {
  const open = useOpenOrBlockNights();
  const state = stateOfNight(data, night);
  if (!state || (hasQueue && canAddHold(state))) return null;
  return (
    <div className={styles.foot}>
      <p>{describeNight(data, state)}</p>
      {state === "closed" ? (
        <Button tone="line" size="sm" onClick={() => void open([night], true)}>
          Open to requests
        </Button>
      ) : null}
    </div>
  );
}

type QueueProps = Readonly<{ night: string; items: readonly QueuedHold[]; onTask(task: HoldTask): void }>;

function Queue({ night, items, onTask }: QueueProps) {
  const nightOf = (hold: QueuedHold) => hold.nights.find((one) => one.night === night);
  const rival = items.find((hold) => nightOf(hold)?.is_challenger);
  const challenged = items.filter((hold) => nightOf(hold)?.challenge_ends_at).length;
  return (
    <>
      <ol className={styles.queue}>
        {items.map((hold, index) => {
          const own = nightOf(hold);
          return own ? (
            <QueueRow
              key={hold.id}
              hold={hold}
              night={own}
              challenger={own.challenge_ends_at && rival ? { name: rival.promoter_name, challenged } : undefined}
              isLast={index === items.length - 1}
              onTask={onTask}
            />
          ) : null;
        })}
      </ol>
      <Legend />
      <p className={styles.foot}>
        Deadlines are in your time zone ({formatTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}). Shows are
        in the local time of their venue. Promoters see only their own rank, and when the first hold ends.
      </p>
    </>
  );
}

const Legend = () => (
  <dl className={styles.legend}>
    <DetailRow label={<Rank rank={1} />}>First hold: its promoter can book.</DetailRow>
    <DetailRow label={<Rank rank={2} />}>Waits for the holds before it.</DetailRow>
  </dl>
);

type NightEntries = Readonly<{ bookings: readonly ArtistBooking[]; busy: readonly BusyTime[] }>;

/** The entries do not include ranked holds. A show after midnight is listed on its date and in the night before. */
function useNightEntries(night: string) {
  const after = addDays(night, 1);
  const bookings = useArtistMonth(night.slice(0, 7));
  const late = useArtistMonth(after.slice(0, 7));
  const times = useBusyTimes(monthOfText(night));
  const queries = [bookings, late, times];
  const loaded =
    bookings.data && late.data && times.data && queries.every(({ isPlaceholderData }) => !isPlaceholderData)
      ? {
          entries: {
            bookings: [
              ...bookings.data.items.filter(({ event_date }) => event_date === night),
              ...lateShows(late.data.items, after, times.data),
            ],
            busy: times.data.busy.filter((one) => isBusyOn(one, night)),
          },
          data: times.data,
        }
      : undefined;
  return {
    loaded,
    error: queries.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const query of queries) void query.refetch();
    },
  };
}

const lateShows = (items: readonly ArtistBooking[], date: string, { night_ends_at: end }: NightData) =>
  items.filter(({ event_date, event_time }) => event_date === date && event_time < end);

function NightEntryList({ night, entries: { bookings, busy } }: Readonly<{ night: string; entries: NightEntries }>) {
  if (bookings.length + busy.length === 0) return null;
  return (
    <ul className={styles.entries} aria-label="Bookings and busy times">
      {bookings.map((booking) => (
        <li key={booking.id}>
          <div className={styles.who}>
            <strong>{booking.promoter_name}</strong>
            <small>
              {booking.venue_name}, {booking.event_date === night ? "" : `${formatDay(booking.event_date)}, `}
              {booking.event_time}
            </small>
            <span>
              <StatusBadge entity="booking" value={booking.status} />
            </span>
          </div>
          <Link to={paths.artistArea.booking(booking.id)}>View booking</Link>
        </li>
      ))}
      {busy.map((one) => (
        <li key={one.id}>
          <BusyRow busy={one} />
        </li>
      ))}
    </ul>
  );
}
