/** /artist/bookings: the artist's own bookings, by event date. */
import { useState } from "react";
import { EventCell, eventWords } from "../areas/booking-cells.tsx";
import { paymentWords, priceWords } from "../areas/booking-words.ts";
import { ListFilters, useListFilters } from "../areas/list-filters.tsx";
import { ListBody } from "../areas/list-states.tsx";
import styles from "../areas/list.module.css";
import { StatusBadge } from "../areas/status-badge.tsx";
import { type ArtistBooking, useArtistBookings } from "../lib/booking-lists.ts";
import { momentHere } from "../lib/dates.ts";
import { Button } from "../ui/button.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { ReleaseDialog } from "./release-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Artist Dashboard" }];

export default function ArtistBookingsPage() {
  const { search } = useListFilters();
  const { query, bookings } = useArtistBookings({ search });
  const [releasing, setReleasing] = useState<ArtistBooking>();
  const empty = search
    ? { title: "No bookings found matching your criteria." }
    : { title: "No bookings yet", text: "Requests from promoters appear here as soon as they are sent." };
  return (
    <>
      <div className={styles.head}>
        <h1>Bookings</h1>
      </div>
      <ListFilters placeholder="Search promoter or venue" />
      <ListBody query={query} what="Bookings" count={bookings?.length} empty={empty}>
        <BookingsTable bookings={bookings ?? []} onRelease={setReleasing} />
        <ul className={styles.cards}>
          {bookings?.map((booking) => (
            <BookingCard key={booking.id} booking={booking} onRelease={setReleasing} />
          ))}
        </ul>
      </ListBody>
      <ReleaseDialog booking={releasing} onClose={() => setReleasing(undefined)} />
    </>
  );
}

type OnRelease = (booking: ArtistBooking) => void;

function BookingsTable({
  bookings,
  onRelease,
}: Readonly<{ bookings: readonly ArtistBooking[]; onRelease: OnRelease }>) {
  return (
    <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Bookings">
      <table>
        <caption className="sr">Your bookings, by event date</caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Promoter and venue</th>
            <th scope="col">Status</th>
            <th scope="col" className={styles.amount}>
              Amount
            </th>
            <th scope="col">
              <span className="sr">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bookings.map((booking) => (
            <tr key={booking.id}>
              <td>
                <EventCell booking={booking} />
              </td>
              <td>
                {booking.promoter_name}
                <small>{booking.venue_name}</small>
              </td>
              <td>
                <StatusBadge machine="booking" value={booking.status} />
              </td>
              <td className={styles.amount}>
                {priceWords(booking)}
                <small>{paymentWords(booking)}</small>
              </td>
              <td className={styles.act}>
                <Hold booking={booking} onRelease={onRelease} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BookingCard({ booking, onRelease }: Readonly<{ booking: ArtistBooking; onRelease: OnRelease }>) {
  return (
    <li className={styles.bare}>
      <div>
        <h2>{eventWords(booking)}</h2>
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
      {booking.hold ? (
        <div className={styles.end}>
          <Hold booking={booking} onRelease={onRelease} />
        </div>
      ) : null}
    </li>
  );
}

/** A date that somebody is paying for at this moment, and the button that frees it. */
function Hold({ booking, onRelease }: Readonly<{ booking: ArtistBooking; onRelease: OnRelease }>) {
  if (!booking.hold) return null;
  return (
    <span className={styles.hold}>
      <small>On hold until {momentHere(booking.hold.expires_at).time}</small>
      <Button tone="bad" size="sm" onClick={() => onRelease(booking)}>
        Release
      </Button>
    </span>
  );
}
