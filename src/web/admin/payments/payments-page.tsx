import { Receipt } from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { paymentLabel, paymentStatuses } from "#payments/rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { useListAddress, usePage } from "../../dashboard/lists/address.ts";
import { ArtistCell, CardLink, NumberLink, TwoLines } from "../../booking/list/booking-cells.tsx";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { ExportButton } from "../../dashboard/lists/export-button.tsx";
import { ListFilters, useListDays, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import listStyles from "../../dashboard/lists/list.module.css";
import styles from "../../dashboard/lists/pages.module.css";
import { MetricCards, type Metric } from "../../dashboard/metric-cards.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { type ListedPayment, type PaymentTotals, usePayments, usePaymentTotals } from "../../lib/api/admin-lists.ts";
import { formatSums } from "../../lib/format/amounts.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { useSite } from "../../lib/site.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { platformDefaults } from "#settings/defaults.rules.ts";
import type { Route } from "./+types/payments-page.ts";
import { PaymentDialog } from "./payment-dialog.tsx";
import { RefusedRefunds } from "./refused-refunds.tsx";
import { Unreconciled } from "./unreconciled.tsx";
import { useRefusedRefunds } from "./use-refused-refunds.ts";
import { useUnreconciled } from "./use-unreconciled.ts";

export const meta: Route.MetaFunction = () => [{ title: "Payments Management: Admin Panel" }];

const labels = ["Total Revenue", "Total Transactions"] as const;

const byStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: Object.entries(paymentStatuses).map(([value, { label }]) => ({ value, label })),
};

export default function AdminPaymentsPage() {
  const { search, chosen } = useListFilters(byStatus);
  const days = useListDays();
  const query = usePayments({ search, status: chosen, ...days, page: usePage() });
  const totals = usePaymentTotals();
  const unreconciled = useUnreconciled();
  const refused = useRefusedRefunds();
  const [refreshing, setRefreshing] = useState(false);
  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([query.refetch(), totals.refetch(), unreconciled.refetch(), refused.refetch()]);
    setRefreshing(false);
  };
  const filtered = [search, chosen, days.from, days.to].some((value) => value !== "");
  const failed = query.error !== null && !query.isFetching;
  return (
    <>
      <div className={listStyles.head}>
        <h1>Payments Management</h1>
        <div className={styles.actions}>
          <ExportButton list="payments" filters={{ search, status: chosen, ...days }} />
          <ExportButton list="documents" filters={{}} label="Documents as CSV" />
          <Button tone="line" size="sm" busy={refreshing} busyLabel="Refreshing..." onClick={() => void refresh()}>
            Refresh
          </Button>
        </div>
        <p className={styles.lead}>Monitor and manage platform payments</p>
      </div>
      <Unreconciled />
      <RefusedRefunds />
      {failed ? null : <Totals query={totals} />}
      <h2 className={styles.title}>Payment History</h2>
      <ListFilters placeholder="Search name, email, amount or reference" filter={byStatus} days />
      <PagedBody
        query={query}
        what="Payments"
        empty={{
          title: "No payments found",
          text: filtered ? "Try adjusting your search or filters" : "Payment transactions will appear here",
        }}
      >
        {(payments) => <PaymentList payments={payments} />}
      </PagedBody>
      <OpenPayment />
    </>
  );
}

function Totals({ query }: Readonly<{ query: ReturnType<typeof usePaymentTotals> }>) {
  const currency = useSite()?.currency ?? platformDefaults.currency;
  return (
    <div className={styles.above}>
      {query.error && !query.isFetching ? (
        <SectionFailed what="The totals" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <MetricCards labels={labels} figures={query.data && figuresOf(query.data, currency)} />
      )}
    </div>
  );
}

/** Sums of different currencies are listed beside each other and never added. */
function figuresOf({ revenue, transactions, by_status: statuses }: PaymentTotals, currency: string): Metric[] {
  const write = (part: "amount" | "captured" | "refunded") =>
    formatSums(
      revenue.map((sum) => ({ currency: sum.currency, amount: sum[part] })),
      currency,
      formatMoneyExact,
    );
  const order = Object.keys(paymentStatuses);
  const counts = statuses
    .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
    .map(({ status, count }) => `${count.toLocaleString("en-US")} ${paymentLabel(status).toLowerCase()}`);
  return [
    { label: labels[0], value: write("amount"), more: `captured ${write("captured")}, refunded ${write("refunded")}` },
    { label: labels[1], value: transactions.toLocaleString("en-US"), more: counts.join(", ") || "none yet" },
  ];
}

const BookingLink = ({ booking }: Pick<ListedPayment, "booking">) => (
  <NumberLink number={booking.number} to={paths.admin.booking(booking.id)} />
);
const kindLabel = (payment: ListedPayment): string => (payment.kind === "deposit" ? "Deposit" : "Balance");
const eventDay = (payment: ListedPayment): string => formatDay(payment.booking.event_date, { short: true, year: true });

function Amount({ payment }: Readonly<{ payment: ListedPayment }>) {
  return (
    <>
      {formatMoneyExact(payment.amount, payment.currency)}
      <small>
        {kindLabel(payment)}
        {payment.refunded_cents > 0 ? `, ${formatMoneyExact(payment.refunded_cents, payment.currency)} refunded` : ""}
        {payment.disputed_cents > 0
          ? `, ${formatMoneyExact(payment.disputed_cents, payment.currency)} lost in a dispute`
          : ""}
      </small>
    </>
  );
}

function PaymentList({ payments }: Readonly<{ payments: readonly ListedPayment[] }>) {
  const address = useListAddress();
  const page = usePage();
  const navigate = useNavigate();
  const open = (id: string) =>
    void navigate(address({ payment: id, page: page > 1 ? String(page) : "" }), { preventScrollReset: true });
  const action = (payment: ListedPayment) =>
    payment.status === "succeeded" ? (
      <button
        className={styles.icon}
        type="button"
        aria-label={`Receipt and details: ${payment.booking.number}, ${kindLabel(payment)}`}
        onClick={() => open(payment.id)}
      >
        <Receipt size={20} strokeWidth={1.6} aria-hidden />
      </button>
    ) : null;
  const status = (payment: ListedPayment) => <StatusBadge entity="payment" value={payment.status} />;
  const columns: ListColumn<ListedPayment>[] = [
    {
      title: "Artist",
      cell: (payment) => <ArtistCell artist={payment.artist} more={<BookingLink booking={payment.booking} />} />,
    },
    {
      title: "Promoter and event",
      cell: (payment) => <TwoLines first={payment.booking.promoter_name} second={eventDay(payment)} />,
    },
    { title: "Status", cell: status },
    {
      title: "Provider",
      cell: (payment) => (
        <TwoLines
          first={payment.provider}
          second={<span className={styles.reference}>{payment.provider_ref ?? "no reference yet"}</span>}
        />
      ),
    },
    { title: "Amount", cell: (payment) => <Amount payment={payment} />, amount: true },
    { title: "Receipt", cell: action, actions: true },
  ];
  return (
    <DataList
      caption="Payments, newest first"
      label="Payments"
      rows={payments}
      columns={columns}
      card={(payment) => ({
        title: <CardLink to={paths.admin.booking(payment.booking.id)}>{payment.artist.name}</CardLink>,
        lines: [
          `${payment.booking.promoter_name}, ${eventDay(payment)}`,
          payment.booking.number,
          `${payment.provider} ${payment.provider_ref ?? ""}`,
        ],
        picture: payment.artist,
        foot: status(payment),
        amount: <Amount payment={payment} />,
        action: action(payment),
      })}
    />
  );
}

function OpenPayment() {
  const [query, setQuery] = useSearchParams();
  const close = () =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete("payment");
        return next;
      },
      { preventScrollReset: true },
    );
  return <PaymentDialog id={query.get("payment")} onClose={close} />;
}
