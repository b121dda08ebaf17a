import { type ReactNode, useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import type { OwnBookingsInput } from "../../lib/api/booking-lists.ts";
import { momentText, type ShownBooking } from "../progress.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { describeDeadline } from "../status-message.ts";
import { useNow } from "../use-now.ts";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import type { ListQuery } from "../../dashboard/lists/list-states.tsx";
import styles from "./needs-you.module.css";

export type NeededBooking = Readonly<{
  id: string;
  number: string;
  event_date: string;
  venue_name: string;
  act_due: ShownBooking["deadlines"][number] | null;
}>;

type Props<B> = Readonly<{
  useBookings(options: OwnBookingsInput): Readonly<{ query: ListQuery; bookings: readonly B[] | undefined }>;
  pageOf(id: string): string;
  all: string;
  nameOf(booking: B): string;
  pictureOf?(booking: B): PosterSubject;
  /** There is no list below that would say that nothing can be loaded: the section says it. One failure gets one note. */
  alone?: boolean;
  /** Called once it is known what waits, or that it cannot be known now. */
  onSettled?(settled: true): void;
  action(booking: B, primary: boolean): ReactNode;
}>;

const most = 5;
/** Above a list nobody presses Retry for the section: it asks again by itself. */
const retryMs = 10_000;

export function useShowsNeeds(): boolean {
  const [query] = useSearchParams();
  return !query.get("show") && !query.get("search");
}

export function NeedsYou<B extends NeededBooking>({
  useBookings,
  pageOf,
  all,
  nameOf,
  pictureOf,
  alone = false,
  onSettled,
  action,
}: Props<B>) {
  const { query, bookings } = useBookings({ search: "", show: "needs_me", sort: undefined });
  const now = useNow(1_000);
  const failed = Boolean(query.error) && !query.isFetching;
  const { refetch } = query;
  const settled = bookings !== undefined || failed;
  useEffect(() => {
    if (settled) onSettled?.(true);
  }, [settled, onSettled]);
  useEffect(() => {
    if (alone || !failed) return;
    const timer = setTimeout(() => void refetch(), retryMs);
    return () => clearTimeout(timer);
  }, [alone, failed, refetch]);
  if (!bookings)
    return alone && failed ? (
      <SectionFailed what="What needs you" error={query.error} onRetry={() => void query.refetch()} />
    ) : null;
  if (bookings.length === 0) return null;
  const dueOf = ({ act_due: due }: B) => (due ? new Date(due.at).getTime() : Infinity);
  const waiting = bookings.toSorted((one, other) => dueOf(one) - dueOf(other));
  return (
    <section className={styles.needs} aria-labelledby="needs-you">
      <header>
        <h2 id="needs-you">Needs you</h2>
        <span>{bookings.length === 1 ? "1 booking" : `${bookings.length} bookings, the first deadline on top`}</span>
      </header>
      <ul>
        {waiting.slice(0, most).map((booking, at) => (
          <li key={booking.id}>
            {pictureOf ? (
              <img src={posterUrl(pictureOf(booking), "mark")} width={200} height={200} alt="" loading="lazy" />
            ) : null}
            <span className={styles.about}>
              <strong>
                <Link to={pageOf(booking.id)}>
                  {nameOf(booking)}, {formatDay(booking.event_date, { short: true })}
                </Link>
              </strong>
              <small>
                {booking.number}, {booking.venue_name}
              </small>
            </span>
            {booking.act_due ? (
              <span className={`num ${styles.left}`} data-first={at === 0 || undefined}>
                {describeDeadline(booking.act_due, now)}
                {new Date(booking.act_due.at) > now ? <small>{momentText(String(booking.act_due.at))}</small> : null}
              </span>
            ) : null}
            <span className={styles.action}>{action(booking, at === 0)}</span>
          </li>
        ))}
      </ul>
      {waiting.length > most ? (
        <p className="small">
          <Link to={all}>All {waiting.length} that need you</Link>
        </p>
      ) : null}
    </section>
  );
}
