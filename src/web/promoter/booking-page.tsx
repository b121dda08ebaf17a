import { paths } from "#platform/site-paths.rules.ts";
import { BookingPage } from "../booking/booking-page.tsx";
import type { Route } from "./+types/booking-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Booking: Promoter Dashboard" }];

export default function PromoterBookingPage({ params }: Route.ComponentProps) {
  return <BookingPage id={params.id} listPath={paths.promoterArea.bookings} />;
}
