import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { PayButton } from "../booking/actions/pay-button.tsx";
import { describeDeadline } from "../booking/deadline-text.ts";
import { useNow } from "../booking/use-now.ts";
import { type PromoterBooking, usePromoterBookings } from "../lib/api/booking-lists.ts";
import { formatSums } from "../lib/format/amounts.ts";
import { dayIn, formatDay, formatRelativeMoment, formatWeekdayDate } from "../lib/format/dates.ts";
import { useRetry } from "../lib/use-retry.ts";
import { Skeleton } from "../ui/states/skeleton.tsx";
import styles from "./next-payment.module.css";

const endOf = ({ act_due: due }: PromoterBooking) => (due ? new Date(due.at).getTime() : Infinity);
const payableCents = (booking: PromoterBooking) =>
  booking.can.pay === "deposit" ? booking.deposit_cents : booking.balance_cents;

/** Stores in this browser that nothing was due, so the next visit reserves no space. */
const emptyKey = "next-payment-empty";

/** What the promoter can pay now, the nearest deadline first. Has its final height while it loads. */
export function NextPayment() {
  const { query, bookings } = usePromoterBookings({ search: "", show: "needs_you", sort: undefined });
  const [next, ...others] = (bookings ?? [])
    .filter(({ can }) => can.pay)
    .toSorted((one, other) => endOf(one) - endOf(other));
  const hasFailed = query.error !== null && !query.isFetching;
  const [wasEmpty] = useState(() => localStorage.getItem(emptyKey) !== null);
  const isEmpty = bookings && !next;
  useEffect(() => {
    if (isEmpty) localStorage.setItem(emptyKey, "1");
    else if (isEmpty === false) localStorage.removeItem(emptyKey);
  }, [isEmpty]);
  useRetry(hasFailed, query.refetch);
  if (wasEmpty && !next && !hasFailed) return null;
  return (
    <section className={styles.next} aria-labelledby="next-payment" aria-busy={(!bookings && !hasFailed) || undefined}>
      <header>
        <h2 id="next-payment">Next payment</h2>
        {others.length > 0 ? <Others bookings={others} hasMore={query.hasNextPage} /> : null}
      </header>
      {next ? (
        <Payable booking={next} />
      ) : isEmpty ? (
        <p className="quiet">Nothing to pay now. A balance appears here once both have signed the contract.</p>
      ) : hasFailed ? (
        <p className="quiet">This could not be loaded. Trying again…</p>
      ) : (
        <>
          <p className="sr" role="status">
            Loading
          </p>
          <Skeleton height="2.4rem" width="9rem" aria-hidden />
        </>
      )}
    </section>
  );
}

type OthersProps = Readonly<{ bookings: readonly PromoterBooking[]; hasMore: boolean }>;

/** The sum is of one page of bookings, so it is not shown if there are more. */
const Others = ({ bookings, hasMore }: OthersProps) => (
  <p className="small quiet num">
    <Link to={paths.promoterArea.bookingsOf("needs_you")}>
      {hasMore ? `More than ${bookings.length}` : bookings.length} more to pay
    </Link>
    {hasMore ? null : `: ${formatSums(sumsOf(bookings), bookings[0]?.currency ?? "", formatMoneyExact)}`}
  </p>
);

function Payable({ booking }: Readonly<{ booking: PromoterBooking }>) {
  const { id, artist, can, currency, event_date: event } = booking;
  return (
    <>
      <p className={`num ${styles.amount}`}>{formatMoneyExact(payableCents(booking), currency)}</p>
      <p>
        <strong>
          <When booking={booking} />
        </strong>
        <span className="small quiet">
          {can.pay === "deposit" ? "Deposit" : "Balance"}, {artist.name},{" "}
          <span className={styles.date}>{formatWeekdayDate(event)}</span>,{" "}
          <Link to={paths.promoterArea.booking(id)}>View booking</Link>
        </span>
      </p>
      <PayButton booking={booking} hasAmount={false} />
    </>
  );
}

/** Renders every second, so the list does not. A balance is due at the end of a day of its booking's zone. */
function When({ booking }: Readonly<{ booking: PromoterBooking }>) {
  const now = useNow(1_000);
  const { act_due: due, time_zone: zone } = booking;
  if (!due) return null;
  const end = new Date(due.at);
  const text = describeDeadline(due, now, { viewer: "promoter", time_zone: zone });
  if (end <= now) return text;
  return `${text}, ${due.kind === "balance_due" ? formatDay(dayIn(zone, new Date(end.getTime() - 1)), { short: true }) : formatRelativeMoment(String(due.at))}`;
}

function sumsOf(bookings: readonly PromoterBooking[]) {
  const sums = new Map<string, number>();
  for (const booking of bookings) sums.set(booking.currency, (sums.get(booking.currency) ?? 0) + payableCents(booking));
  return Array.from(sums, ([currency, amount]) => ({ currency, amount }));
}
