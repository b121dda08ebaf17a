/** /artist/bookings: the artist's own bookings, by event date. */
import { useState } from "react";
import { EventCell, eventWords, TwoLines } from "../areas/booking-cells.tsx";
import { BookingList, type Column } from "../areas/booking-list.tsx";
import { ListFilters, useListFilters } from "../areas/list-filters.tsx";
import { ListBody } from "../areas/list-states.tsx";
import styles from "../areas/list.module.css";
import { type ArtistBooking, useArtistBookings } from "../lib/booking-lists.ts";
import { momentHere } from "../lib/dates.ts";
import { Button } from "../ui/button.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { ReleaseDialog } from "./release-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Artist Dashboard" }];

const columns: Column<ArtistBooking>[] = [
  { title: "Event", cell: (booking) => <EventCell booking={booking} /> },
  {
    title: "Promoter and venue",
    cell: (booking) => <TwoLines first={booking.promoter_name} second={booking.venue_name} />,
  },
];

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
        <BookingList
          caption="Your bookings, by event date"
          bookings={bookings ?? []}
          columns={columns}
          card={(booking) => ({ title: eventWords(booking), lines: [booking.promoter_name, booking.venue_name] })}
          action={(booking) =>
            booking.hold ? <Hold hold={booking.hold} onRelease={() => setReleasing(booking)} /> : null
          }
        />
      </ListBody>
      <ReleaseDialog booking={releasing} onClose={() => setReleasing(undefined)} />
    </>
  );
}

/** A date that somebody is paying for at this moment, and the button that frees it. */
function Hold({ hold, onRelease }: Readonly<{ hold: NonNullable<ArtistBooking["hold"]>; onRelease(): void }>) {
  return (
    <span className={styles.hold}>
      <small>On hold until {momentHere(hold.expires_at).time}</small>
      <Button tone="bad" size="sm" onClick={onRelease}>
        Release
      </Button>
    </span>
  );
}
