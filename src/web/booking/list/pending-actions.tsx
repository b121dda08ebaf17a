import { type ReactNode, type UIEvent, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import type { ListQuery } from "../../dashboard/lists/list-states.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import type { BookingsSummary, OwnBookingsInput } from "../../lib/api/booking-lists.ts";
import { dayIn, formatDay, formatRelativeMoment } from "../../lib/format/dates.ts";
import { useRetry } from "../../lib/use-retry.ts";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import { describeDeadline } from "../status/deadline-text.ts";
import { type BookingResponse } from "../status/progress.ts";
import { useNow } from "../use-now.ts";
import styles from "./pending-actions.module.css";

export type BookingToActOn = Readonly<{
  id: string;
  number: string;
  event_date: string;
  venue_name: string;
  /** Undefined for a night that is held, not booked. */
  time_zone?: string;
  act_due: BookingResponse["deadlines"][number] | null;
  /** The event of the artist's other calendar that takes the time of a request. */
  busy_elsewhere?: BookingResponse["busy_elsewhere"];
}>;

export type OtherAction = Readonly<{ id: string; title: string; text: string; page: string; action: ReactNode }>;

type Props<B> = Readonly<{
  /** Shown before the bookings. `isLoading`: not known yet. */
  others?: readonly OtherAction[];
  isLoading?: boolean;
  useBookings(
    options: OwnBookingsInput,
  ): Readonly<{ query: ListQuery; bookings: readonly B[] | undefined; summary: BookingsSummary | undefined }>;
  pageOf(id: string): string;
  all: string;
  nameOf(booking: B): string;
  pictureOf?(booking: B): PosterSubject;
  /** Without a list below, a failure shows an alert with Retry. Above a list it shows one line, because the list has the alert. */
  alone?: boolean;
  viewer: "promoter" | "artist";
  action(booking: B, primary: boolean): ReactNode;
}>;

const maxDots = 8;

/** Returns false where the list below is the pending actions already. A search or another filter does not hide them. */
export function useShowsPendingActions(): boolean {
  const [query] = useSearchParams();
  return query.get("show") !== "needs_you";
}

/** Returns true if this browser's last visit found nothing, so that this one reserves no space. `isEmpty` is undefined while unknown. */
export function useWasEmpty(key: string, isEmpty: boolean | undefined): boolean {
  const [wasEmpty] = useState(() => localStorage.getItem(key) !== null);
  useEffect(() => {
    if (isEmpty) localStorage.setItem(key, "1");
    else if (isEmpty === false) localStorage.removeItem(key);
  }, [key, isEmpty]);
  return wasEmpty;
}

/** The viewer's pending actions, nearest deadline first. Has its final height from the first paint, to avoid a layout shift. */
export function PendingActions<B extends BookingToActOn>(props: Props<B>) {
  const { useBookings, alone = false, isLoading = false, others = [] } = props;
  const { query, bookings, summary } = useBookings({ search: "", show: "needs_you", sort: undefined });
  const failed = Boolean(query.error) && !query.isFetching;
  // Stays true during the retries, which would otherwise change the height each time.
  const [hasFailed, setHasFailed] = useState(false);
  if (failed && !hasFailed) setHasFailed(true);
  const count = isLoading ? undefined : bookings && others.length + bookings.length;
  const wasEmpty = useWasEmpty("needs-you-empty", count === undefined ? undefined : count === 0);
  useRetry(failed && !alone, query.refetch);
  if (!count && wasEmpty && !(alone && failed)) return null;
  // A list without any booking has nothing below that could be displaced.
  if (!count && !alone && summary?.counts.all === 0) return null;
  return (
    <section
      className={styles.pending}
      aria-labelledby="needs-you"
      aria-busy={(count === undefined && !hasFailed) || undefined}
      data-failed={(count === undefined && hasFailed) || undefined}
    >
      {count && bookings ? (
        <Waiting {...props} bookings={bookings} total={summary?.counts.needs_you ?? bookings.length} />
      ) : (
        <>
          <Head />
          {count === 0 ? (
            <p className={styles.line}>Nothing needs you right now.</p>
          ) : alone && failed ? (
            <SectionFailed what="What needs you" query={query} />
          ) : !alone && hasFailed ? (
            <p className={styles.line}>This could not be loaded. Trying again…</p>
          ) : (
            <LoadingRows />
          )}
        </>
      )}
    </section>
  );
}

const Head = ({ children }: Readonly<{ children?: ReactNode }>) => (
  <header>
    <h2 id="needs-you">Needs you</h2>
    {children}
  </header>
);

const LoadingRows = () => (
  <>
    <LoadingStatus />
    {[0, 1].map((at) => (
      <div key={at} className={styles.loading} aria-hidden>
        <Skeleton height="1rem" width={`${45 - 8 * at}%`} />
        <Skeleton height="0.8rem" width={`${30 - 4 * at}%`} mt="0.5rem" />
      </div>
    ))}
  </>
);

function Waiting<B extends BookingToActOn>({
  bookings,
  others = [],
  pageOf,
  all,
  nameOf,
  pictureOf,
  viewer,
  action,
  total,
}: Props<B> & Readonly<{ bookings: readonly B[]; total: number }>) {
  const [at, setAt] = useState(0);
  const dueOf = ({ act_due: due }: B) => (due ? new Date(due.at).getTime() : Infinity);
  const waiting = bookings.toSorted(
    (one, other) => dueOf(one) - dueOf(other) || one.event_date.localeCompare(other.event_date),
  );
  const count = others.length + waiting.length;
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>) => {
    const step = list.scrollWidth / count;
    setAt(Math.min(count - 1, Math.round(list.scrollLeft / step)));
  };
  return (
    <>
      <Head>
        <span className={styles.wide}>
          {`${others.length + total} to do${count === 1 || others.length > 0 || total > count ? "" : ", soonest first"}`}
        </span>
        <span className={styles.narrow} aria-hidden>
          {at + 1} of {others.length + total}
        </span>
        {waiting.length > 2 ? (
          <Link to={all}>{others.length > 0 ? `All ${total} bookings` : `All ${total}`}</Link>
        ) : null}
      </Head>
      <ul onScroll={onScroll}>
        {others.map(({ id, title, text, page, action: otherAction }) => (
          <li key={id} className={styles.bare}>
            <span className={styles.about}>
              <strong>
                <Link to={page}>{title}</Link>
              </strong>
              <small>{text}</small>
            </span>
            <span className={styles.left} />
            <span className={styles.action}>{otherAction}</span>
          </li>
        ))}
        {waiting.map((booking, index) => (
          <li key={booking.id} className={pictureOf ? undefined : styles.bare}>
            {pictureOf ? <Pictures artist={pictureOf(booking)} /> : null}
            <span className={styles.about}>
              <strong>
                <Link to={pageOf(booking.id)}>
                  {nameOf(booking)},{" "}
                  <span className={styles.date}>{formatDay(booking.event_date, { short: true })}</span>
                </Link>
              </strong>
              <small>
                {booking.number}, {booking.venue_name}
              </small>
              {booking.busy_elsewhere ? (
                <small>Busy in {booking.busy_elsewhere.calendar}: decline, or remove that event</small>
              ) : null}
            </span>
            <span className={`num ${styles.left}`} data-first={(booking.act_due && index === 0) || undefined}>
              {booking.act_due ? <TimeLeft due={booking.act_due} booking={booking} viewer={viewer} /> : null}
            </span>
            <span className={styles.action}>{action(booking, index === 0 && others.length === 0)}</span>
          </li>
        ))}
      </ul>
      {count === 1 || count > maxDots ? null : (
        <p className={styles.dots} aria-hidden>
          {[...others, ...waiting].map(({ id }, index) => (
            <i key={id} data-on={index === at || undefined} />
          ))}
        </p>
      )}
    </>
  );
}

type TimeLeftProps = Readonly<{
  due: NonNullable<BookingToActOn["act_due"]>;
  booking: BookingToActOn;
  viewer: "promoter" | "artist";
}>;

/** Renders every second, so the rows do not. */
function TimeLeft({ due, booking, viewer }: TimeLeftProps) {
  const now = useNow(1_000);
  return (
    <>
      {describeDeadline(due, now, { ...booking, viewer })}
      {new Date(due.at) > now ? <small>{formatDeadlineEnd(due, booking.time_zone)}</small> : null}
    </>
  );
}

/** Returns the last day of a balance in the zone of its booking, and the time of another deadline in the viewer's. */
export function formatDeadlineEnd({ kind, at }: TimeLeftProps["due"], zone: string | undefined): string {
  if (kind !== "balance_due" || !zone) return formatRelativeMoment(String(at));
  return formatDay(dayIn(zone, new Date(new Date(at).getTime() - 1)), { short: true });
}

const Pictures = ({ artist }: Readonly<{ artist: PosterSubject }>) => (
  <>
    <img className={styles.wide} src={posterUrl(artist, "mark")} width={200} height={200} alt="" loading="lazy" />
    <img className={styles.narrow} src={posterUrl(artist)} width={600} height={800} alt="" loading="lazy" />
  </>
);
