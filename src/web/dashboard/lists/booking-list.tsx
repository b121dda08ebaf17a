/** The list of bookings of every dashboard. A dashboard says what is shown in the columns before the status. */
import type { ReactNode } from "react";
import type { PosterSubject } from "#artists/rules.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { CardLink, NumberLink } from "./booking-cells.tsx";
import { amountFormat, describePayment, describeTotals, type FormatAmount, formatPrice } from "./booking-format.ts";
import { DataList, type ListColumn } from "./data-list.tsx";
import styles from "./list.module.css";

/** What every list shows of a booking. Amounts are minor units of its currency. */
export type ListedBooking = Parameters<typeof describePayment>[0] & Readonly<{ id: string; number: string }>;

/** A column before the status. */
export type Column<B> = ListColumn<B>;

/** A card's words: the heading, then one line each; with a picture where the reader is not the artist. */
export type Card = Readonly<{ title: ReactNode; lines: readonly ReactNode[]; artist?: PosterSubject }>;

type Props<B> = Readonly<{
  /** What the table holds and in which order, for screen readers. */
  caption: string;
  bookings: readonly B[];
  /** The address of a booking's page. */
  pageOf(id: string): string;
  columns: readonly Column<B>[];
  card(booking: B): Card;
  /** What can be done with a booking from the list; nothing for most. */
  action?: (booking: B) => ReactNode;
  /** The name under which the amount is ordered by, where the list can be. */
  sortAmount?: string;
  /** Whether these are all bookings of the group: then their sums stand below them. */
  whole?: boolean;
}>;

/** Draws the bookings; how many there are, and why there are none, is the matter of ListBody. */
export function BookingList<B extends ListedBooking>({
  caption,
  bookings,
  pageOf,
  columns,
  card,
  action,
  sortAmount,
  whole = false,
}: Props<B>) {
  const format = amountFormat(bookings);
  const status = (booking: B) => <StatusBadge entity="booking" value={booking.status} />;
  const amount = (booking: B) => <Amount booking={booking} format={format} />;
  const all: ListColumn<B>[] = [
    {
      title: "Booking",
      cell: (booking) => <NumberLink number={booking.number} to={pageOf(booking.id)} />,
      oneLine: true,
    },
    ...columns,
    { title: "Status", cell: status },
    { title: "Amount", cell: amount, amount: true, ...(sortAmount ? { sort: sortAmount } : {}) },
    ...(action ? [{ title: "Action", cell: action, actions: true }] : []),
  ];
  return (
    <>
      <DataList
        caption={caption}
        label="Bookings"
        rows={bookings}
        columns={all}
        card={(booking) => {
          const { title, lines, artist } = card(booking);
          return {
            title: <CardLink to={pageOf(booking.id)}>{title}</CardLink>,
            lines: [booking.number, ...lines],
            picture: artist,
            foot: status(booking),
            amount: amount(booking),
            action: action?.(booking),
          };
        }}
      />
      {whole && bookings.length > 1 ? <p className={`num ${styles.totals}`}>{describeTotals(bookings)}</p> : null}
    </>
  );
}

type AmountProps = Readonly<{ booking: ListedBooking; format: FormatAmount }>;

const Amount = ({ booking, format }: AmountProps) => (
  <>
    {formatPrice(booking, format)}
    <small>{describePayment(booking, format)}</small>
  </>
);
