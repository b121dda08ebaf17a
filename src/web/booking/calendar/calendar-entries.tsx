import type { ReactNode } from "react";
import { Link } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import type { PromoterBooking } from "../../lib/api/booking-lists.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./calendar.module.css";
import holds from "./hold-entries.module.css";
import kinds from "./kinds.module.css";

/** `name` is the other party, `to` the viewer's page of the booking. `isHeld`: a checkout holds the date. `action` is beside the booking in the list. */
export type CalendarBooking = Readonly<
  Pick<PromoterBooking, "id" | "status" | "event_date" | "event_time" | "duration" | "venue_name" | "number"> & {
    name: string;
    to: string;
    isHeld: boolean;
    note?: ReactNode;
    action: ReactNode;
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

export const BookingRow = ({ booking }: Readonly<{ booking: CalendarBooking }>) => (
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
      {booking.action}
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

/** A ranked hold of one night. `name` is the other party, `to` where the viewer manages the hold. */
export type CalendarHold = Readonly<{
  id: string;
  night: string;
  rank: number;
  name: string;
  to: string;
  shortText: string;
  text: string;
}>;

export const describeHolds = ({ length }: readonly CalendarHold[]): string =>
  length === 0 ? "" : `${length} ${length === 1 ? "hold" : "holds"}`;

export const Rank = ({ rank }: Readonly<{ rank: number }>) => (
  <b className={holds.rank} data-first={rank === 1 || undefined}>
    <span className="sr">Hold </span>
    {rank}
  </b>
);

const maxSlips = 2;

const linkTo = (to: string) => ({ to, preventScrollReset: to.startsWith("?") });

export function HoldSlips({ held }: Readonly<{ held: readonly CalendarHold[] }>) {
  const rest = held.length - maxSlips;
  return (
    <>
      {held.slice(0, maxSlips).map(({ id, rank, name, to, shortText }) => (
        <Link key={id} className={`${styles.slip} ${holds.slip}`} data-kind="hold" {...linkTo(to)} tabIndex={-1}>
          <Rank rank={rank} />
          <strong>{name}</strong>
          <span>{shortText}</span>
        </Link>
      ))}
      {rest > 0 ? <small className={holds.more}>{`${rest} more ${rest === 1 ? "hold" : "holds"}`}</small> : null}
    </>
  );
}

export const HoldRow = ({ held: { rank, name, to, text } }: Readonly<{ held: CalendarHold }>) => (
  <>
    <span className={`${styles.what} ${holds.row}`}>
      <Rank rank={rank} />
      <Link {...linkTo(to)}>{name}</Link>
      <small>{text}</small>
    </span>
    <span className={styles.end} />
  </>
);

const shows = ["deposit_paid", "contract_sent", "contract_signed", "completed"] as const;

const entries = [
  { kind: "request", label: bookingStatusLabel("initiated") },
  { kind: "hold", label: "On hold" },
  ...shows.map((kind) => ({ kind, label: bookingStatusLabel(kind) })),
  { kind: "blocked", label: "Blocked" },
  { kind: "external", label: "Other calendar" },
];

export function CalendarLegend({ shown }: Readonly<{ shown: readonly string[] }>) {
  const known = entries.filter(({ kind }) => shown.includes(kind));
  if (known.length === 0) return null;
  return (
    <ul className={`${kinds.kinds} ${kinds.legend}`} aria-label="Colors">
      {known.map(({ kind, label }) => (
        <li key={kind}>
          <span data-kind={kind}>{label}</span>
        </li>
      ))}
    </ul>
  );
}
