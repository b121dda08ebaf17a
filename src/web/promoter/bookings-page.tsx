/** /promoter/bookings: the promoter's own bookings, by event date. */
import { useEffect } from "react";
import { posterUrl } from "#artists/rules.ts";
import { payableNow } from "#bookings/rules.ts";
import { ArtistCell, EventCell, eventWords } from "../areas/booking-cells.tsx";
import { paymentWords, priceWords } from "../areas/booking-words.ts";
import { ListFilters, useListFilters } from "../areas/list-filters.tsx";
import { ListBody } from "../areas/list-states.tsx";
import styles from "../areas/list.module.css";
import { StatusBadge } from "../areas/status-badge.tsx";
import { type PromoterBooking, usePromoterBookings } from "../lib/booking-lists.ts";
import { toast } from "../ui/toaster.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { PayButton } from "./pay-button.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Promoter Dashboard" }];

export default function PromoterBookingsPage() {
  const { search } = useListFilters();
  useEffect(watchPayments, []);
  const { query, bookings } = usePromoterBookings({ search });
  const empty = search
    ? { title: "No bookings found matching your criteria." }
    : { title: "No bookings yet", text: "Find an artist and ask for a date; your requests appear here." };
  return (
    <>
      <div className={styles.head}>
        <h1>Bookings</h1>
      </div>
      <ListFilters placeholder="Search artist or venue" />
      <ListBody query={query} what="Bookings" count={bookings?.length} empty={empty}>
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

/** The payment page stands in its own tab; when it could not open a checkout, it tells here too (bookings/pay-page.ts). */
function watchPayments() {
  const channel = new BroadcastChannel("stagedoor-pay");
  channel.onmessage = () =>
    toast({ tone: "error", title: "Payment Error", text: "Failed to process payment. Please try again." });
  return () => channel.close();
}

function BookingsTable({ bookings }: Readonly<{ bookings: readonly PromoterBooking[] }>) {
  return (
    <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Bookings">
      <table>
        <caption className="sr">Your bookings, by event date</caption>
        <thead>
          <tr>
            <th scope="col">Artist and venue</th>
            <th scope="col">Event</th>
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
                <ArtistCell artist={booking.artist} more={booking.venue_name} />
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
              <td className={styles.act}>
                <PayButton booking={booking} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BookingCard({ booking }: Readonly<{ booking: PromoterBooking }>) {
  return (
    <li>
      <img className={styles.poster} src={posterUrl(booking.artist)} width={600} height={800} alt="" loading="lazy" />
      <div>
        <h2>{booking.artist.name}</h2>
        <p>{eventWords(booking)}</p>
        <p>{booking.venue_name}</p>
      </div>
      <div className={styles.end}>
        <StatusBadge machine="booking" value={booking.status} />
        <span className={styles.amount}>
          {priceWords(booking)}
          <small>{paymentWords(booking)}</small>
        </span>
      </div>
      {payableNow(booking) ? (
        <div className={styles.press}>
          <PayButton booking={booking} />
        </div>
      ) : null}
    </li>
  );
}
