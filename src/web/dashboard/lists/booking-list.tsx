/** The list of bookings of every dashboard: a table where there is space, cards on a phone. A dashboard says what stands in the columns. */
import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { amountFormat, describePayment, type FormatAmount, formatPrice } from "./booking-format.ts";
import styles from "./list.module.css";
import { StatusBadge } from "../../ui/status-badge.tsx";

/** What every list shows of a booking. Amounts are minor units of its currency. */
export type ListedBooking = Parameters<typeof describePayment>[0] & Readonly<{ id: string }>;

/** A column before the status; its title is read out as the cell's heading. */
export type Column<B> = Readonly<{
  title: string;
  cell(booking: B): ReactNode;
  /** Dates and times stay on their line. */
  oneLine?: boolean;
}>;

/** A card's words: the heading, then one line each; with a picture where the reader is not the artist. */
export type Card = Readonly<{ title: string; lines: readonly string[]; artist?: PosterSubject }>;

type Props<B> = Readonly<{
  /** What the table holds and in which order, for screen readers. */
  caption: string;
  bookings: readonly B[];
  columns: readonly Column<B>[];
  card(booking: B): Card;
  /** What can be done with a booking from the list; nothing for most. */
  action?: (booking: B) => ReactNode;
}>;

/** Draws the bookings; how many there are, and why there are none, is the matter of ListBody. */
export function BookingList<B extends ListedBooking>({ caption, bookings, columns, card, action }: Props<B>) {
  const format = amountFormat(bookings);
  return (
    <>
      <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Bookings">
        <table>
          <caption className="sr">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">Status</th>
              <th scope="col" className={styles.amount}>
                Amount
              </th>
              {action ? (
                <th scope="col">
                  <span className="sr">Action</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {bookings.map((booking) => (
              <tr key={booking.id}>
                {columns.map(({ title, cell, oneLine }) => (
                  <td key={title} className={oneLine ? styles.oneLine : undefined}>
                    {cell(booking)}
                  </td>
                ))}
                <td>
                  <StatusBadge entity="booking" value={booking.status} />
                </td>
                <td className={styles.amount}>
                  <Amount booking={booking} format={format} />
                </td>
                {action ? <td className={styles.actionCell}>{action(booking)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.cards}>
        {bookings.map((booking) => (
          <BookingCard
            key={booking.id}
            booking={booking}
            card={card(booking)}
            action={action?.(booking)}
            format={format}
          />
        ))}
      </ul>
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

type CardProps = AmountProps & Readonly<{ card: Card; action: ReactNode }>;

function BookingCard({ booking, card, action, format }: CardProps) {
  const { title, lines, artist } = card;
  return (
    <li className={artist ? undefined : styles.bare}>
      {artist ? (
        <img className={styles.poster} src={posterUrl(artist)} width={600} height={800} alt="" loading="lazy" />
      ) : null}
      <div>
        <h2>{title}</h2>
        {lines.map((line, at) => (
          <p key={at}>{line}</p>
        ))}
      </div>
      <div className={styles.end}>
        <StatusBadge entity="booking" value={booking.status} />
        <span className={styles.amount}>
          <Amount booking={booking} format={format} />
        </span>
      </div>
      {action ? <div className={styles.cardAction}>{action}</div> : null}
    </li>
  );
}
