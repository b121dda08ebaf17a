import { formatMoneyExact } from "#platform/money.rules.ts";
import { Link } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import { ArtistCell, TwoLines } from "../booking/list/booking-cells.tsx";
import { ListBody } from "../dashboard/lists/list-states.tsx";
import styles from "../dashboard/lists/list.module.css";
import { DocumentButtons } from "../booking/documents/open-document.tsx";
import { type PromoterPayment, usePromoterPayments } from "../lib/api/own-payments.ts";
import { formatDay, formatShortDate, localMoment } from "../lib/format/dates.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Route } from "./+types/payments-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Payments: Promoter Dashboard" }];

export default function PromoterPaymentsPage() {
  const { query, payments } = usePromoterPayments();
  return (
    <>
      <div className={styles.head}>
        <h1>Payments</h1>
      </div>
      <ListBody
        query={query}
        what="Payments"
        count={payments?.length}
        empty={{ title: "No payments yet", text: "Deposits and balances that you pay appear here." }}
      >
        <PaymentTable payments={payments ?? []} />
      </ListBody>
    </>
  );
}

const kinds = { deposit: "Deposit", balance: "Balance" } as const;
const eventOf = ({ booking }: PromoterPayment) => formatDay(booking.event_date, { short: true, year: true });

const paidOn = ({ payment_date: paid, created_at: begun }: PromoterPayment) =>
  formatShortDate(localMoment(paid ?? begun).day);

function refundOf({
  refunded_cents: refunded,
  disputed_cents: disputed,
  currency,
  amount,
}: PromoterPayment): string | undefined {
  if (disputed > 0) return `${formatMoneyExact(disputed, currency)} returned by your bank`;
  if (refunded === 0) return undefined;
  return refunded >= amount ? "refunded in full" : `${formatMoneyExact(refunded, currency)} refunded`;
}

function PaymentTable({ payments }: Readonly<{ payments: readonly PromoterPayment[] }>) {
  return (
    <>
      <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label="Payments">
        <table>
          <caption className="sr">Your payments, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Artist and venue</th>
              <th scope="col">Event</th>
              <th scope="col">Payment</th>
              <th scope="col">Status</th>
              <th scope="col" className={styles.amount}>
                Amount
              </th>
              <th scope="col">Documents</th>
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <tr key={payment.id}>
                <td>
                  <ArtistCell artist={payment.artist} more={payment.booking.venue_name} />
                </td>
                <td className={styles.oneLine}>
                  <TwoLines first={eventOf(payment)} second={<BookingLink payment={payment} />} />
                </td>
                <td className={styles.oneLine}>
                  <TwoLines first={kinds[payment.kind]} second={paidOn(payment)} />
                </td>
                <td>
                  <StatusBadge entity="payment" value={payment.status} />
                </td>
                <td className={styles.amount}>
                  <Amount payment={payment} />
                </td>
                <td>
                  <DocumentButtons documents={payment.documents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.cards}>
        {payments.map((payment) => (
          <li key={payment.id}>
            <img
              className={styles.poster}
              src={posterUrl(payment.artist)}
              width={600}
              height={800}
              alt=""
              loading="lazy"
            />
            <div>
              <h2>{payment.artist.name}</h2>
              <p>
                {eventOf(payment)}, {payment.booking.venue_name}
              </p>
              <p>
                {kinds[payment.kind]}, {paidOn(payment)}, <BookingLink payment={payment} />
              </p>
              <DocumentButtons documents={payment.documents} />
            </div>
            <div className={styles.end}>
              <StatusBadge entity="payment" value={payment.status} />
              <span className={styles.amount}>
                <Amount payment={payment} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

const BookingLink = ({ payment: { booking } }: Readonly<{ payment: PromoterPayment }>) => (
  <Link to={paths.promoterArea.booking(booking.id)}>{booking.number}</Link>
);

const Amount = ({ payment }: Readonly<{ payment: PromoterPayment }>) => (
  <>
    {formatMoneyExact(payment.amount, payment.currency)}
    <small>{refundOf(payment) ?? (payment.payment_date === null ? "not charged" : "")}</small>
  </>
);
