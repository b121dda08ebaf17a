import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { BusyTime, HeldNight } from "../../../lib/api/artist-calendar.ts";
import type { ArtistBooking } from "../../../lib/api/booking-lists.ts";
import { formatDay, formatMonth } from "../../../lib/format/dates.ts";
import { type Month, monthText } from "../../../lib/format/months.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { BusyRow } from "../busy-times.tsx";
import { HoldRow } from "../held-nights.tsx";
import styles from "../calendar.module.css";

type Props = Readonly<{
  month: Month;
  action(booking: ArtistBooking): ReactNode;
}>;

export function Agenda({
  month,
  bookings,
  busy,
  holds,
  loading,
  action,
}: Props &
  Readonly<{
    bookings: readonly ArtistBooking[];
    busy: readonly BusyTime[];
    holds: readonly HeldNight[];
    loading: boolean;
  }>) {
  const name = formatMonth(month).split(" ")[0];
  const first = `${monthText(month)}-01`;
  const rows = [
    ...bookings.map((booking) => ({
      id: booking.id,
      date: booking.event_date,
      row: <BookingRow booking={booking} action={action} />,
    })),
    ...holds.map((one) => ({ id: one.id, date: one.night, row: <HoldRow held={one} /> })),
    ...busy.map((one) => ({ id: one.id, date: one.night < first ? first : one.night, row: <BusyRow busy={one} /> })),
  ].sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return (
    <section className={styles.agenda} aria-labelledby="agenda">
      <h3 id="agenda">{name}, as a list</h3>
      {rows.length === 0 ? (
        <p className="quiet">{loading ? "Loading" : "No shows, no requests and no holds in this month."}</p>
      ) : (
        <ul>
          {rows.map(({ id, date, row }) => (
            <li key={id}>
              <span className={styles.date}>
                <b>{Number(date.slice(8))}</b>
                <small>{formatDay(date, { short: true }).split(" ")[0]}</small>
              </span>
              {row}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const BookingRow = ({ booking, action }: Readonly<{ booking: ArtistBooking }> & Pick<Props, "action">) => (
  <>
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
  </>
);
