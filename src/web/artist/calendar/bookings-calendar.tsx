import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { ListFailed, ListLoading } from "../../dashboard/lists/list-states.tsx";
import { type ArtistBooking, useArtistMonth } from "../../lib/api/booking-lists.ts";
import { formatDay, formatMonth, localToday } from "../../lib/format/dates.ts";
import { type Month, monthOfText, monthText } from "../../lib/format/months.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Calendar, type CalendarDay } from "../../ui/calendar/calendar.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./calendar.module.css";

type Props = Readonly<{
  month: Month;
  action(booking: ArtistBooking): ReactNode;
}>;

export function BookingsCalendar({ month, action }: Props) {
  const address = useListAddress();
  const navigate = useNavigate();
  const query = useArtistMonth(monthText(month));
  // While the next month loads, the rows of the one before are still there.
  const bookings = query.data?.items.filter((one) => one.event_date.startsWith(monthText(month)));
  const failed = query.error && !query.isFetching ? query.error : undefined;
  const addressOf = (one: Month) => address({ month: monthText(one) });
  return (
    <section className={styles.calendar} aria-label="Calendar" aria-busy={query.isPlaceholderData || undefined}>
      <Calendar
        month={month}
        onMonth={(one) => void navigate(addressOf(one), { preventScrollReset: true })}
        addressOf={addressOf}
        label="Shows and requests"
        heading="h2"
        today={localToday()}
        dayOf={(date) => dayWith((bookings ?? []).filter((one) => one.event_date === date))}
        className={styles.month}
        beside={
          <Link className={buttonClass({ tone: "line", size: "sm" })} to={address({ month: "" })} preventScrollReset>
            Today
          </Link>
        }
        instead={
          failed ? (
            <ListFailed what="The calendar" error={failed} onRetry={() => void query.refetch()} />
          ) : bookings ? undefined : (
            <ListLoading what="the calendar" />
          )
        }
      />
      {bookings && !failed ? (
        <Agenda month={month} bookings={bookings} loading={query.isPlaceholderData} action={action} />
      ) : null}
    </section>
  );
}

function dayWith(bookings: readonly ArtistBooking[]): CalendarDay {
  return {
    state: bookings[0] && statusOf(bookings[0]),
    label: describeBookings(bookings),
    content:
      bookings.length > 0 &&
      bookings.map((booking) => (
        <Link
          key={booking.id}
          className={styles.slip}
          data-status={statusOf(booking)}
          to={paths.artistArea.booking(booking.id)}
          tabIndex={-1}
        >
          <strong>
            {booking.event_time}, {booking.promoter_name}
          </strong>
          {booking.hold ? (
            <span className={styles.state}>{heldLabel}</span>
          ) : (
            <StatusBadge entity="booking" value={booking.status} />
          )}
        </Link>
      )),
  };
}

const heldLabel = "Held at the checkout";

function describeBookings(bookings: readonly ArtistBooking[]): string {
  if (bookings.length === 0) return "no bookings";
  const states = bookings.map(({ hold, status }) => (hold ? heldLabel : bookingStatusLabel(status)));
  return `${bookings.length} ${bookings.length === 1 ? "booking" : "bookings"}: ${states.join(", ")}`;
}

const statusOf = ({ hold, status }: ArtistBooking): string => (hold ? "hold" : status);

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
