import { Menu } from "@mantine/core";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { Link } from "react-router";
import { CardLink, RowLink, TwoLines } from "../booking/list/booking-cells.tsx";
import { ActionsMenu } from "../dashboard/lists/actions-menu.tsx";
import { DataList, type ListColumn } from "../dashboard/lists/data-list.tsx";
import { ListBody } from "../dashboard/lists/list-states.tsx";
import styles from "../dashboard/lists/list.module.css";
import { DocumentItems } from "../booking/documents/document-items.tsx";
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

/** The status, unless all went well: then the amount says enough. */
const status = (payment: PromoterPayment) =>
  payment.status === "succeeded" ? null : <StatusBadge entity="payment" value={payment.status} />;

const amount = ({ amount: cents, currency }: PromoterPayment) => formatMoneyExact(cents, currency);
const noteOf = (payment: PromoterPayment) =>
  refundOf(payment) ?? (payment.payment_date === null ? "not charged" : undefined);

const columns: ListColumn<PromoterPayment>[] = [
  {
    title: "Artist",
    cell: ({ artist, booking }) => (
      <RowLink to={paths.promoterArea.booking(booking.id)} name={artist.name} more={booking.number} artist={artist} />
    ),
  },
  { title: "Event", cell: eventOf, width: 9.25 },
  { title: "Venue", cell: ({ booking }) => booking.venue_name, from: 56 },
  { title: "Payment", cell: (one) => <TwoLines first={kinds[one.kind]} second={paidOn(one)} />, width: 8.5 },
  { title: "Status", cell: (one) => status(one) ?? <span className="sr">Succeeded</span>, width: 10 },
  { title: "Amount", cell: (one) => <TwoLines first={amount(one)} second={noteOf(one)} />, width: 9.5, amount: true },
];

const PaymentTable = ({ payments }: Readonly<{ payments: readonly PromoterPayment[] }>) => (
  <DataList
    caption="Your payments, newest first"
    label="Payments"
    rows={payments}
    columns={columns}
    menu={({ booking, kind, documents }) => (
      <ActionsMenu name={`${booking.number}, ${kinds[kind]}`}>
        <DocumentItems documents={documents} />
        <Menu.Item component={Link} to={paths.promoterArea.booking(booking.id)}>
          Open booking
        </Menu.Item>
      </ActionsMenu>
    )}
    card={(one) => ({
      title: <CardLink to={paths.promoterArea.booking(one.booking.id)}>{one.artist.name}</CardLink>,
      lines: [
        `${eventOf(one)}, ${one.booking.venue_name}`,
        `${kinds[one.kind]}, ${paidOn(one)}, ${one.booking.number}`,
      ],
      picture: one.artist,
      foot: status(one),
      amount: <TwoLines first={amount(one)} second={noteOf(one)} />,
    })}
  />
);
