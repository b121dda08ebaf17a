import type { ReactNode } from "react";
import { Link } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import type { PromoterBooking } from "../../lib/api/booking-lists.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./calendar.module.css";

/** `name` is the other party, `to` the viewer's page of the booking. `isHeld`: a checkout holds the date. */
export type CalendarBooking = Readonly<
  Pick<PromoterBooking, "id" | "status" | "event_date" | "event_time" | "duration" | "venue_name" | "number"> & {
    name: string;
    to: string;
    isHeld: boolean;
    note?: ReactNode;
  }
>;

const heldLabel = "At checkout";

export function BookingSlip({ booking }: Readonly<{ booking: CalendarBooking }>) {
  const link = { to: booking.to, tabIndex: -1 };
  if (booking.status === "canceled")
    return (
      <Link className={styles.canceled} {...link}>
        <span className="sr">Canceled, </span>
        <s>{booking.name}</s>
      </Link>
    );
  return (
    <Link className={styles.slip} data-kind={kindOf(booking)} {...link}>
      <strong>{booking.name}</strong> <span>{booking.isHeld ? heldLabel : booking.event_time}</span>
      {booking.note}
    </Link>
  );
}

type RowProps = Readonly<{ booking: CalendarBooking; children: ReactNode }>;

export const BookingRow = ({ booking, children }: RowProps) => (
  <>
    <span className={styles.what}>
      <Link to={booking.to}>
        {booking.name}, {booking.venue_name}
      </Link>
      <small>
        {booking.event_time}
        {booking.duration ? `, ${booking.duration}` : ""}, <span className="num">{booking.number}</span>
      </small>
    </span>
    <span className={styles.end}>
      <StatusBadge entity="booking" value={booking.status} />
      {children}
    </span>
  </>
);

export function describeBookings(bookings: readonly CalendarBooking[]): string {
  if (bookings.length === 0) return "";
  const states = bookings.map(({ isHeld, status }) => (isHeld ? heldLabel : bookingStatusLabel(status)));
  return `${bookings.length} ${bookings.length === 1 ? "booking" : "bookings"}: ${states.join(", ")}`;
}

export const kindOf = ({ isHeld, status }: CalendarBooking): string =>
  isHeld ? "hold" : status === "initiated" ? "request" : status;
