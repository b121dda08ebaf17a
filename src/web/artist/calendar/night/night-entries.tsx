import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { type BusyTime, useBusyTimes } from "../../../lib/api/artist-calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../../lib/api/booking-lists.ts";
import { monthOfText } from "../../../lib/format/months.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { BusyRow, isBusyOn } from "../busy-times.tsx";
import styles from "../holds.module.css";

type NightEntries = Readonly<{ bookings: readonly ArtistBooking[]; busy: readonly BusyTime[] }>;

/** Loads a night's state, and its entries except ranked holds: bookings, blocked time and events of connected calendars. */
export function useNightEntries(night: string) {
  const bookings = useArtistMonth(night.slice(0, 7));
  const times = useBusyTimes(monthOfText(night));
  const isCurrent = !bookings.isPlaceholderData && !times.isPlaceholderData;
  const loaded =
    bookings.data && times.data && isCurrent
      ? {
          entries: {
            bookings: bookings.data.items.filter(({ event_date }) => event_date === night),
            busy: times.data.busy.filter((one) => isBusyOn(one, night)),
          },
          data: times.data,
        }
      : undefined;
  return {
    loaded,
    error: bookings.error ?? times.error,
    refetch: () => {
      void bookings.refetch();
      void times.refetch();
    },
  };
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
