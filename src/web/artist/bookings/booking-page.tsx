import { paths } from "#platform/site-paths.rules.ts";
import { BookingPage } from "../../booking/booking-page.tsx";
import { ImportConflicts } from "../../dashboard/calendar-feeds/import-conflicts.tsx";
import { TravelWarnings } from "../calendar/travel-warnings.tsx";
import type { Route } from "./+types/booking-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Booking: Artist Dashboard" }];

export default function ArtistBookingPage({ params }: Route.ComponentProps) {
  return (
    <BookingPage
      id={params.id}
      listPath={paths.artistArea.bookings}
      warnings={
        <>
          <ImportConflicts of={params.id} />
          <TravelWarnings of={params.id} />
        </>
      }
    />
  );
}
