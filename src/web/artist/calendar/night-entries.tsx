import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { type BusyTime, useBusyTimes } from "../../lib/api/artist-calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../lib/api/booking-lists.ts";
import { monthOfText } from "../../lib/format/months.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { BusyRow, isBusyOn } from "./busy-times.tsx";
import styles from "./holds.module.css";

type NightEntries = Readonly<{ bookings: readonly ArtistBooking[]; busy: readonly BusyTime[]; isClosed: boolean }>;

/** Loads a night's entries except ranked holds: bookings, blocked time and events of connected calendars. */
export function useNightEntries(night: string) {
  const bookings = useArtistMonth(night.slice(0, 7));
  const times = useBusyTimes(monthOfText(night));
  const isCurrent = !bookings.isPlaceholderData && !times.isPlaceholderData;
  const entries: NightEntries | undefined =
    bookings.data && times.data && isCurrent
      ? {
          bookings: bookings.data.items.filter(({ event_date }) => event_date === night),
          busy: times.data.busy.filter((one) => isBusyOn(one, night)),
          isClosed: times.data.closed.includes(night),
        }
      : undefined;
  return {
    entries,
    error: bookings.error ?? times.error,
    refetch: () => {
      void bookings.refetch();
      void times.refetch();
    },
  };
}

/** Returns a message if a night without holds cannot be booked, undefined if it is free. */
export function takenBy({ bookings, busy, isClosed }: NightEntries): string | undefined {
  if (bookings.some(({ status, hold }) => hold || (status !== "initiated" && status !== "canceled")))
    return "No other promoter can book this night.";
  if (busy.length > 0) return "No promoter can book this night.";
  return isClosed ? "This night is closed to requests." : undefined;
}

export function NightEntryList({ entries: { bookings, busy } }: Readonly<{ entries: NightEntries }>) {
  if (bookings.length + busy.length === 0) return null;
  return (
    <ul className={styles.entries} aria-label="Bookings and busy times">
      {bookings.map((booking) => (
        <li key={booking.id}>
          <div className={styles.who}>
            <strong>{booking.promoter_name}</strong>
            <small>
              {booking.venue_name}, {booking.event_time}
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
