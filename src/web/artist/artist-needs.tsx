import { NeedsYou } from "../booking/list/needs-you.tsx";
import { useArtistBookings } from "../lib/api/booking-lists.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingAction } from "./booking-action.tsx";

export const ArtistNeeds = ({ alone = false }: Readonly<{ alone?: boolean }>) => (
  <NeedsYou
    viewer="artist"
    alone={alone}
    useBookings={useArtistBookings}
    pageOf={paths.artistArea.booking}
    all={paths.artistArea.bookingsOf("needs_me")}
    nameOf={(booking) => booking.promoter_name}
    action={(booking, primary) => <BookingAction booking={booking} primary={primary} />}
  />
);
