import { Link } from "react-router";
import { displayedPaymentStatus, paymentLabel } from "#payments/rules.ts";
import { rowsPerPage } from "#platform/list.rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { ownPaymentSorts } from "#reports/lists/payments.rules.ts";
import { PayButton } from "../booking/actions/pay-button.tsx";
import { DocumentItems } from "../booking/documents/document-items.tsx";
import { formatDeadlineEnd, useWasEmpty } from "../booking/list/pending-actions.tsx";
import { describeDeadline } from "../booking/status/deadline-text.ts";
import { useNow } from "../booking/use-now.ts";
import { usePage, useSort } from "../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../dashboard/lists/data-list.tsx";
import { ActionsMenu, MenuLink, CardLink, RowLink, TwoLines } from "../dashboard/lists/list-cells.tsx";
import { ExportButton, ListFilters, useListFilters } from "../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../dashboard/lists/paged-body.tsx";
import { byPaymentStatus, PaymentStatus } from "../dashboard/lists/payment-status.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import { type PromoterBooking, usePromoterBookings } from "../lib/api/booking-lists.ts";
import { type PromoterPayment, usePromoterPayments } from "../lib/api/own-payments.ts";
import { formatSums } from "../lib/format/amounts.ts";
import { formatWeekdayDate, formatPlatformDate } from "../lib/format/dates.ts";
import { useRetry } from "../lib/use-retry.ts";
import { LinkButton } from "../ui/button.tsx";
import { LoadingStatus, Skeleton } from "../ui/states/skeleton.tsx";
import styles from "../dashboard/lists/list.module.css";
import nextStyles from "./next-payment.module.css";

export const meta = () => [{ title: "Payments: Promoter Dashboard" }];

export default function PromoterPaymentsPage() {
  const { search, chosen } = useListFilters(byPaymentStatus);
  const query = usePromoterPayments({ search, status: chosen, sort: useSort(ownPaymentSorts), page: usePage() });
  const isFiltered = search !== "" || chosen !== "";
  const isEmpty = query.data?.total === 0 && !isFiltered;
  return (
    <>
      <PageHead
        title="Payments"
        actions={
          isEmpty ? null : (
            <>
              <ExportButton list="promoterPayments" filters={{ search, status: chosen }} />
              <ExportButton list="promoterDocuments" filters={{}} label="Documents as CSV" />
            </>
          )
        }
      />
      <NextPayment />
      {isEmpty ? null : <ListFilters placeholder="Artist, venue or number" filter={byPaymentStatus} />}
      <PagedBody
        query={query}
        what="Payments"
        empty={
          isFiltered
            ? { title: "No payments found", text: "Try adjusting your search or filters" }
            : {
                title: "No payments yet",
                text: "Deposits and balances that you pay appear here, with their receipts.",
                children: <LinkButton to={paths.browse()}>Browse Artists</LinkButton>,
              }
        }
      >
        {(payments) => (
          <PaymentTable payments={payments} total={query.data?.total ?? 0} sums={query.data?.sums ?? []} />
        )}
      </PagedBody>
    </>
  );
}

const kinds = { deposit: "Deposit", balance: "Balance" } as const;
const eventOf = ({ booking }: PromoterPayment) => formatWeekdayDate(booking.event_date);

const paidOn = ({ payment_date: paid, created_at: begun }: PromoterPayment) => formatPlatformDate(paid ?? begun);

/** The status already states that a payment did not succeed. */
function noteOf({ status: stored, currency, ...payment }: PromoterPayment) {
  const { refunded_cents: refunded, refunding_cents: refunding, disputed_cents: disputed } = payment;
  if (stored !== "succeeded" || refunded + refunding + disputed === 0) return undefined;
  const remarks = [
    ...(refunded > 0 ? [`${formatMoneyExact(refunded, currency)} refunded`] : []),
    ...(refunding > 0 ? [`${formatMoneyExact(refunding, currency)} being refunded`] : []),
    ...(disputed > 0 ? [`${formatMoneyExact(disputed, currency)} returned by the bank`] : []),
  ];
  return <span className={styles.wrap}>{remarks.join(", ")}</span>;
}

const statusText = (payment: PromoterPayment) =>
  payment.status === "succeeded" ? noteOf(payment) : paymentLabel(displayedPaymentStatus(payment));

const amount = ({ amount: cents, currency }: PromoterPayment) => formatMoneyExact(cents, currency);

type Sums = Parameters<typeof formatSums>[0];

const paidLabel = (total: number) => (total > rowsPerPage ? "Paid on all pages" : "Paid");

const columnsWith = (sums: Sums, total: number): ListColumn<PromoterPayment>[] => [
  {
    title: "Artist",
    sort: "artist",
    total:
      sums.length > 0 ? (
        <>
          {paidLabel(total)}, less
          <br /> refunds and bank returns
        </>
      ) : undefined,
    cell: ({ artist, booking }) => (
      <RowLink to={paths.promoterArea.booking(booking.id)} name={artist.name} more={booking.number} artist={artist} />
    ),
    width: "max(14rem, 23cqi)",
  },
  {
    title: "Event",
    cell: (one) => (
      <TwoLines first={eventOf(one)} second={<span className={styles.from56}>{one.booking.venue_name}</span>} />
    ),
    sort: "event",
    second: { title: "Venue", sort: "venue", from: 56 },
  },
  {
    title: "Payment",
    cell: (one) => <TwoLines first={kinds[one.kind]} second={paidOn(one)} />,
    width: 7.25,
    sort: "paid",
  },
  {
    title: "Status",
    cell: (one) => <TwoLines first={<PaymentStatus payment={one} />} second={noteOf(one)} />,
    width: 9.25,
    sort: "status",
    from: 56,
  },
  {
    title: "Amount",
    cell: (one) => <TwoLines first={amount(one)} second={<span className={styles.to56}>{statusText(one)}</span>} />,
    width: 8.25,
    amount: true,
    sort: "amount",
    total: totalOf(sums),
  },
];

const totalOf = (sums: Sums) => (sums.length > 0 ? formatSums(sums, "", formatMoneyExact) : undefined);

type TableProps = Readonly<{ payments: readonly PromoterPayment[]; total: number; sums: Sums }>;

const PaymentTable = ({ payments, total, sums }: TableProps) => (
  <DataList
    caption="Your payments"
    ordered="newest first"
    standardSort="-paid"
    totals={
      sums.length > 0 ? `${paidLabel(total)}, less refunds and what the bank returned: ${totalOf(sums)}` : undefined
    }
    label="Payments"
    rows={payments}
    columns={columnsWith(sums, total)}
    choice={{ exported: "promoterPayments" }}
    menu={({ booking, kind, documents }) => (
      <ActionsMenu name={`${booking.number}, ${kinds[kind]}`}>
        <DocumentItems documents={documents} />
        <MenuLink to={paths.promoterArea.booking(booking.id)}>View booking</MenuLink>
      </ActionsMenu>
    )}
    card={(one) => ({
      title: <CardLink to={paths.promoterArea.booking(one.booking.id)}>{one.artist.name}</CardLink>,
      number: one.booking.number,
      lines: [`${eventOf(one)}, ${one.booking.venue_name}`],
      picture: one.artist,
      foot: (
        <>
          {one.status === "succeeded" ? null : <PaymentStatus payment={one} />}
          {noteOf(one) ? <small>{noteOf(one)}</small> : null}
          <small>{`${kinds[one.kind]}, ${paidOn(one)}`}</small>
        </>
      ),
      amount: amount(one),
    })}
  />
);

const endOf = ({ act_due: due }: PromoterBooking) => (due ? new Date(due.at).getTime() : Infinity);
const payable = ({ can, currency, deposit_cents: deposit, balance_cents: balance }: PromoterBooking) => ({
  currency,
  amount: can.pay === "deposit" ? deposit : balance,
});

/** What the promoter can pay now, the nearest deadline first. Has its final height while it loads. */
function NextPayment() {
  const { query, bookings } = usePromoterBookings({ search: "", show: "needs_you", sort: undefined });
  const [next, ...others] = (bookings ?? [])
    .filter(({ can }) => can.pay)
    .toSorted((one, other) => endOf(one) - endOf(other));
  const hasFailed = query.error !== null && !query.isFetching;
  const isEmpty = bookings && !next;
  const wasEmpty = useWasEmpty("next-payment-empty", isEmpty);
  useRetry(hasFailed, query.refetch);
  if (wasEmpty && !next && !hasFailed) return null;
  return (
    <section
      className={nextStyles.next}
      aria-labelledby="next-payment"
      aria-busy={(!bookings && !hasFailed) || undefined}
    >
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
          <LoadingStatus />
          <Skeleton height="2.4rem" width="9rem" aria-hidden />
        </>
      )}
    </section>
  );
}

/** The sum is of one page of bookings, so it is not shown if there are more. */
const Others = ({ bookings, hasMore }: Readonly<{ bookings: readonly PromoterBooking[]; hasMore: boolean }>) => (
  <p className="small quiet num">
    <Link to={paths.promoterArea.bookingsOf("needs_you")}>
      {hasMore ? `More than ${bookings.length}` : bookings.length} more to pay
    </Link>
    {hasMore ? null : `: ${formatSums(bookings.map(payable), "", formatMoneyExact)}`}
  </p>
);

function Payable({ booking }: Readonly<{ booking: PromoterBooking }>) {
  const { id, artist, can, event_date: event } = booking;
  return (
    <>
      <p className={`num ${nextStyles.amount}`}>{formatMoneyExact(payable(booking).amount, booking.currency)}</p>
      <p>
        <strong>
          <When booking={booking} />
        </strong>
        <span className="small quiet">
          {can.pay === "deposit" ? "Deposit" : "Balance"}, {artist.name},{" "}
          <span className={nextStyles.date}>{formatWeekdayDate(event)}</span>,{" "}
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
  const text = describeDeadline(due, now, { viewer: "promoter", time_zone: zone });
  return new Date(due.at) > now ? `${text}, ${formatDeadlineEnd(due, zone)}` : text;
}
