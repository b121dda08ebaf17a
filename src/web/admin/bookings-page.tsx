/** /admin/bookings: every booking, newest first. */
import { bookingStatuses, bookingStatusNames } from "#bookings/rules.ts";
import { ArtistCell, EventCell, formatEvent, TwoLines } from "../dashboard/lists/booking-cells.tsx";
import { BookingList, type Column } from "../dashboard/lists/booking-list.tsx";
import { ListFilters, useListFilters } from "../dashboard/lists/list-filters.tsx";
import { ListBody } from "../dashboard/lists/list-states.tsx";
import styles from "../dashboard/lists/list.module.css";
import { type AdminBooking, useAdminBookings } from "../lib/api/booking-lists.ts";
import { paths } from "../paths.ts";
import type { Route } from "./+types/bookings-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Admin Panel" }];

const byStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: bookingStatusNames.map((value) => ({ value, label: bookingStatuses[value].label })),
};

const columns: Column<AdminBooking>[] = [
  { title: "Artist", cell: (booking) => <ArtistCell artist={booking.artist} more={booking.artist.genre} /> },
  {
    title: "Promoter and venue",
    cell: (booking) => <TwoLines first={booking.promoter_name} second={booking.venue_name} />,
  },
  { title: "Event", cell: (booking) => <EventCell booking={booking} />, oneLine: true },
];

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
        <BookingList
          caption="Bookings, newest first"
          bookings={bookings ?? []}
          pageOf={paths.admin.booking}
          columns={columns}
          card={(booking) => ({
            title: booking.artist.name,
            lines: [formatEvent(booking), booking.promoter_name, booking.venue_name],
            artist: booking.artist,
          })}
        />
      </ListBody>
    </>
  );
}
