/** The panes of the artist's overview that list bookings: what comes next, and which dates are held right now. */
import { useState } from "react";
import { Link } from "react-router";
import overview from "../areas/overview.module.css";
import { StatusBadge } from "../areas/status-badge.tsx";
import { type ArtistBooking, useArtistBookings } from "../lib/booking-lists.ts";
import { dayWords, momentHere } from "../lib/dates.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";

/** How many bookings the overview names; the rest is one click away. */
const most = 5;

/** Draws the panes once the bookings are known; a failure is told by the list's own page. */
export function BookingPanes({ today }: Readonly<{ today: string }>) {
  const { bookings } = useArtistBookings({ search: "" });
  const [releasing, setReleasing] = useState<ArtistBooking>();
  if (!bookings) return null;
  const open = bookings.filter(
    (one) => one.event_date >= today && one.status !== "canceled" && one.status !== "completed",
  );
  const held = open.filter((one) => one.hold !== null);
  if (open.length === 0) return null;
  return (
    <div className={overview.panes}>
      <section className={overview.pane}>
        <h2>Your bookings</h2>
        <ul className={overview.lines}>
          {open.slice(0, most).map((booking) => (
            <li key={booking.id}>
              <span>
                <strong>
                  {dayWords(booking.event_date, { short: true })}, {booking.event_time}
                </strong>
                <small>
                  {booking.promoter_name}
                  <br />
                  {booking.venue_name}
                </small>
              </span>
              <StatusBadge machine="booking" value={booking.status} />
            </li>
          ))}
        </ul>
        <p className={`small ${overview.foot}`}>
          <Link to={paths.artistArea.bookings}>All bookings</Link>
        </p>
      </section>
      {held.length > 0 ? <Held bookings={held} onRelease={setReleasing} /> : null}
      <ReleaseDialog booking={releasing} onClose={() => setReleasing(undefined)} />
    </div>
  );
}

type HeldProps = Readonly<{ bookings: readonly ArtistBooking[]; onRelease(booking: ArtistBooking): void }>;

function Held({ bookings, onRelease }: HeldProps) {
  return (
    <section className={overview.pane}>
      <h2>Held right now</h2>
      <ul className={overview.lines}>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <span>
              <strong>{dayWords(booking.event_date)}</strong>
              {booking.hold ? (
                <small>
                  {booking.promoter_name} is at the checkout; free again by {momentHere(booking.hold.expires_at).time}{" "}
                  unless paid
                </small>
              ) : null}
            </span>
            <Button tone="bad" size="sm" onClick={() => onRelease(booking)}>
              Release
            </Button>
          </li>
        ))}
      </ul>
      <p className={`small quiet ${overview.foot}`}>
        Releasing ends the checkout; a payment that arrives later goes back in full.
      </p>
    </section>
  );
}
