/** /admin/bookings: every booking, newest first. */
import { posterUrl } from "#artists/rules.ts";
import { bookingStatuses, bookingStatusNames } from "#bookings/rules.ts";
import { ArtistCell, EventCell, eventWords, referenceOf } from "../areas/booking-cells.tsx";
import { paymentWords, priceWords } from "../areas/booking-words.ts";
import { ListFilters, useListFilters } from "../areas/list-filters.tsx";
import { ListBody } from "../areas/list-states.tsx";
import styles from "../areas/list.module.css";
import { StatusBadge } from "../areas/status-badge.tsx";
import { type AdminBooking, useAdminBookings } from "../lib/booking-lists.ts";
import type { Route } from "./+types/bookings-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Admin Panel" }];

const byStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: bookingStatusNames.map((value) => ({ value, label: bookingStatuses[value].label })),
};

export default function AdminBookingsPage() {
  const { search, chosen } = useListFilters(byStatus);
  const { query, bookings } = useAdminBookings({ search, status: bookingStatusNames.find((one) => one === chosen) });
  return (
    <>
      <div className={styles.head}>
        <h1>Bookings</h1>
      </div>
      <ListFilters placeholder="Search artist, promoter or venue" filter={byStatus} />
      <ListBody
        query={query}
        what="Bookings"
        count={bookings?.length}
        empty={{ title: "No bookings found matching your criteria." }}
      >
        <BookingsTable bookings={bookings ?? []} />
        <ul className={styles.cards}>
          {bookings?.map((booking) => (
            <BookingCard key={booking.id} booking={booking} />
          ))}
        </ul>
      </ListBody>
    </>
  );
}

function BookingsTable({ bookings }: Readonly<{ bookings: readonly AdminBooking[] }>) {
  return (
    <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Bookings">
      <table>
        <caption className="sr">Bookings, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Artist</th>
            <th scope="col">Promoter and venue</th>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col" className={styles.amount}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {bookings.map((booking) => (
            <tr key={booking.id}>
              <td>
                <ArtistCell artist={booking.artist} more={referenceOf(booking)} />
              </td>
              <td>
                {booking.promoter_name}
                <small>{booking.venue_name}</small>
              </td>
              <td>
                <EventCell booking={booking} />
              </td>
              <td>
                <StatusBadge machine="booking" value={booking.status} />
              </td>
              <td className={styles.amount}>
                {priceWords(booking)}
                <small>{paymentWords(booking)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BookingCard({ booking }: Readonly<{ booking: AdminBooking }>) {
  return (
    <li>
      <img className={styles.poster} src={posterUrl(booking.artist)} width={600} height={800} alt="" loading="lazy" />
      <div>
        <h2>{booking.artist.name}</h2>
        <p>{eventWords(booking)}</p>
        <p>{booking.promoter_name}</p>
        <p>{booking.venue_name}</p>
      </div>
      <div className={styles.end}>
        <StatusBadge machine="booking" value={booking.status} />
        <span className={styles.amount}>
          {priceWords(booking)}
          <small>{paymentWords(booking)}</small>
        </span>
      </div>
    </li>
  );
}
