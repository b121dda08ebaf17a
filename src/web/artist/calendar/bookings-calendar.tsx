/** The artist's bookings as a month: a slip on each day in the paper of its status, and the same as a list, which on a phone is the view. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { ListFailed, ListLoading } from "../../dashboard/lists/list-states.tsx";
import { type ArtistBooking, useArtistMonth } from "../../lib/api/booking-lists.ts";
import { formatDay, formatMonth, localToday } from "../../lib/format/dates.ts";
import { type Month, monthOfText, monthText, shiftMonth, weekdayColumns, weeksOf } from "../../lib/format/months.ts";
import { paths } from "../../paths.ts";
import { buttonClass } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./calendar.module.css";

type Props = Readonly<{
  month: Month;
  /** What can be done with a booking now, in the list below the month. */
  action(booking: ArtistBooking): ReactNode;
}>;

/** How many slips an arrow key goes. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const monthSteps: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** Draws one month. Arrow keys go from show to show, Page Up and Page Down from month to month. */
export function BookingsCalendar({ month, action }: Props) {
  const address = useListAddress();
  const navigate = useNavigate();
  const table = useRef<HTMLTableElement>(null);
  const [before, after] = [useRef<HTMLAnchorElement>(null), useRef<HTMLAnchorElement>(null)];
  const query = useArtistMonth(monthText(month));
  // While the next month loads, the rows of the one before are still there.
  const bookings = query.data?.items.filter((one) => one.event_date.startsWith(monthText(month)));
  const to = (by: number) => address({ month: monthText(shiftMonth(month, by)) });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = monthSteps[event.key];
    const step = steps[event.key];
    if (by === undefined && step === undefined) return;
    event.preventDefault();
    if (by !== undefined) {
      // The focused slip goes with its month; the link to the next one stays, and takes the same keys.
      (by < 0 ? before : after).current?.focus();
      return void navigate(to(by), { preventScrollReset: true });
    }
    const slips = [...(table.current?.querySelectorAll("a") ?? [])];
    slips[slips.findIndex((slip) => slip === event.currentTarget) + (step ?? 0)]?.focus();
  };
  return (
    <section className={styles.calendar} aria-labelledby="month">
      <div className={styles.head}>
        <Link
          ref={before}
          className={`${buttonClass({ tone: "line", size: "sm" })} ${styles.step}`}
          to={to(-1)}
          preventScrollReset
          onKeyDown={onKeyDown}
        >
          <ChevronLeft size={18} aria-hidden />
          <span className="sr">Previous month</span>
        </Link>
        <h2 id="month" aria-live="polite">
          {formatMonth(month)}
        </h2>
        <Link
          ref={after}
          className={`${buttonClass({ tone: "line", size: "sm" })} ${styles.step}`}
          to={to(1)}
          preventScrollReset
          onKeyDown={onKeyDown}
        >
          <ChevronRight size={18} aria-hidden />
          <span className="sr">Next month</span>
        </Link>
        <Link className={buttonClass({ tone: "line", size: "sm" })} to={address({ month: "" })} preventScrollReset>
          Today
        </Link>
      </div>
      {query.error && !query.isFetching ? (
        <ListFailed what="The calendar" error={query.error} onRetry={() => void query.refetch()} />
      ) : bookings ? (
        <div aria-busy={query.isPlaceholderData || undefined}>
          <table ref={table} className={styles.month}>
            <caption className="sr">Shows and requests in {formatMonth(month)}</caption>
            <thead>
              <tr>
                {weekdayColumns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(month).map((week, at) => (
                <tr key={at}>
                  {week.map((day, column) => (
                    <td key={day ?? column} data-today={day === localToday() || undefined}>
                      {day ? (
                        <DayOf
                          day={day}
                          bookings={bookings.filter((one) => one.event_date === day)}
                          onKeyDown={onKeyDown}
                        />
                      ) : null}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <Agenda month={month} bookings={bookings} loading={query.isPlaceholderData} action={action} />
        </div>
      ) : (
        <ListLoading what="the calendar" />
      )}
    </section>
  );
}

type DayProps = Readonly<{ day: string; bookings: readonly ArtistBooking[]; onKeyDown(event: KeyboardEvent): void }>;

function DayOf({ day, bookings, onKeyDown }: DayProps) {
  const first = bookings[0];
  return (
    <>
      <span className={styles.number} data-status={first && statusOf(first)}>
        {Number(day.slice(8))}
      </span>
      {bookings.map((booking) => (
        <Link
          key={booking.id}
          className={styles.slip}
          data-status={statusOf(booking)}
          to={paths.artistArea.booking(booking.id)}
          onKeyDown={onKeyDown}
        >
          <strong>
            {booking.event_time}, {booking.promoter_name}
          </strong>
          {booking.hold ? (
            <span className={styles.state}>Held at the checkout</span>
          ) : (
            <StatusBadge entity="booking" value={booking.status} />
          )}
        </Link>
      ))}
    </>
  );
}

const statusOf = ({ hold, status }: ArtistBooking): string => (hold ? "hold" : status);

/** The same in words. */
function Agenda({
  month,
  bookings,
  loading,
  action,
}: Props & Readonly<{ bookings: readonly ArtistBooking[]; loading: boolean }>) {
  const name = formatMonth(month).split(" ")[0];
  return (
    <section className={styles.agenda} aria-labelledby="agenda">
      <h3 id="agenda">{name}, as a list</h3>
      {bookings.length === 0 ? (
        <p className="quiet">{loading ? "Loading" : "No shows and no requests in this month."}</p>
      ) : (
        <ul>
          {bookings.map((booking) => (
            <li key={booking.id}>
              <span className={styles.date}>
                <b>{Number(booking.event_date.slice(8))}</b>
                <small>{formatDay(booking.event_date, { short: true }).split(" ")[0]}</small>
              </span>
              <span className={styles.what}>
                <Link to={paths.artistArea.booking(booking.id)}>
                  {booking.promoter_name}, {booking.venue_name}
                </Link>
                <small>
                  {booking.event_time}
                  {booking.duration ? `, ${booking.duration}` : ""}, <span className="num">{booking.number}</span>
                </small>
              </span>
              <span className={styles.end}>
                <StatusBadge entity="booking" value={booking.status} />
                {action(booking)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The month that an address names; nonsense, or nothing, is the present one. */
export const monthOfAddress = (text: string | null): Month =>
  monthOfText(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text ?? "") ? `${text}-01` : localToday());
