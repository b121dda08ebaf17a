import { Menu } from "@mantine/core";
import { Receipt } from "lucide-react";
import { useNavigate, useSearchParams } from "react-router";
import { displayedPaymentStatus, paymentLabel } from "#payments/rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type PaymentSavedFilter, paymentSavedFilters, paymentSorts } from "#reports/lists/payments.rules.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { useDialogAddress, usePage, useSort } from "../../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { ActionsMenu, MenuLink, CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import {
  ExportButton,
  FilterTabs,
  ListFilters,
  useListDays,
  useListFilters,
} from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import { byPaymentStatus, PaymentStatus } from "../../dashboard/lists/payment-status.tsx";
import { MetricCards, type Metric } from "../../dashboard/metric-cards.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { type ListedPayment, type PaymentTotals, usePayments, usePaymentTotals } from "../../lib/api/admin/lists.ts";
import { useMoneyCases } from "../../lib/api/overviews.ts";
import { formatSums } from "../../lib/format/amounts.ts";
import { formatWeekdayDate, formatShortDate } from "../../lib/format/dates.ts";
import { useSite } from "../../lib/site.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { MoneyCases } from "./money-cases.tsx";
import { PaymentDialog } from "./payment-dialog.tsx";
import { RefusedRefunds } from "./refused-refunds.tsx";
import { Unreconciled } from "./unreconciled.tsx";
import { useRefusedRefunds } from "./use-refused-refunds.ts";
import { useUnreconciled } from "./use-unreconciled.ts";
import styles from "../../dashboard/lists/pages.module.css";

export const meta = () => [{ title: "Payments Management: Admin Panel" }];

const labels = ["Total Revenue", "Total Transactions", "Commission", "Held for Bookings", "Owed to Artists"] as const;

const savedFilterLabels: Readonly<Record<PaymentSavedFilter, string>> = {
  held: "Held until the show",
  refunds: "With refunds",
  disputed: "Disputed",
  declined: "Declined",
};
const savedFilterTabs = [
  { value: "", label: "All" },
  ...paymentSavedFilters.map((value) => ({ value, label: savedFilterLabels[value] })),
];

export default function AdminPaymentsPage() {
  const { search, chosen } = useListFilters(byPaymentStatus);
  const days = useListDays();
  const [address] = useSearchParams();
  const show = paymentSavedFilters.find((one) => one === address.get("show"));
  const filters = { search, status: chosen, show, ...days };
  const query = usePayments({ ...filters, sort: useSort(paymentSorts), page: usePage() });
  const totals = usePaymentTotals(days);
  const above = [useMoneyCases(), useUnreconciled(), useRefusedRefunds()];
  const refresh = () => Promise.all([query, totals, ...above].map((one) => one.refetch()));
  const filtered = Object.values(filters).some(Boolean);
  const isFailureShown = query.data !== undefined && query.error === null;
  return (
    <>
      <PageHead
        title="Payments Management"
        actions={
          <>
            <ExportButton list="payments" filters={{ ...filters, show: show ?? "" }} />
            <ExportButton list="documents" filters={days} label="Documents as CSV" />
            <ExportButton list="ledger" filters={days} label="Ledger as CSV" />
            <Button tone="line" size="sm" busyLabel="Refreshing..." onClick={refresh}>
              Refresh
            </Button>
          </>
        }
      >
        <p>Monitor and manage platform payments</p>
      </PageHead>
      <MoneyCases isFailureShown={isFailureShown} />
      <Unreconciled isFailureShown={isFailureShown} />
      <RefusedRefunds isFailureShown={isFailureShown} />
      <Totals query={totals} days={days} isFailureShown={isFailureShown} />
      <h2 className={styles.title}>Payment History</h2>
      <FilterTabs label="Saved filters" name="show" chosen={show ?? ""} tabs={savedFilterTabs} />
      <ListFilters placeholder="Name, email, amount, reference" filter={byPaymentStatus} days />
      <PagedBody
        query={{ ...query, refetch: refresh }}
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

type Days = ReturnType<typeof useListDays>;

type TotalsProps = Readonly<{ query: ReturnType<typeof usePaymentTotals>; days: Days; isFailureShown: boolean }>;

function Totals({ query, days, isFailureShown }: TotalsProps) {
  const currency = useSite()?.currency ?? platformDefaults.currency;
  const hasFailed = query.error !== null && !query.isFetching;
  const figures = hasFailed
    ? labels.map(() => ({ value: "–", more: "not loaded" }))
    : query.data && figuresOf(query.data, currency, days);
  return (
    <div className={styles.above}>
      <MetricCards labels={labels} figures={figures} />
      {hasFailed && isFailureShown ? <SectionFailed className={styles.below} what="The totals" query={query} /> : null}
    </div>
  );
}

/** Returns the losses and, of the currencies in which more came back than was lost, what came back. */
function lossesOf<Part extends string>(
  sums: readonly (Record<Part, number> & { currency: string })[],
  part: Part,
  labels: { lost: string; wonBack: string },
): string[] {
  const describe = (label: string, sign: 1 | -1) => {
    const shown = sums.map((sum) => ({ currency: sum.currency, amount: sum[part] * sign }));
    const found = shown.filter(({ amount }) => amount > 0);
    return found.length > 0 ? [`${label} ${formatSums(found, "", formatMoneyExact)}`] : [];
  };
  return [...describe(labels.lost, 1), ...describe(labels.wonBack, -1)];
}

/** Lists amounts of different currencies side by side and never adds them. Names the period in each figure. */
function figuresOf(totals: PaymentTotals, currency: string, { from, to }: Days): Metric[] {
  const { revenue, platform, transactions, by_status: statuses } = totals;
  const sumOf = <Part extends string>(sums: readonly (Record<Part, number> & { currency: string })[], part: Part) =>
    formatSums(
      sums.map((sum) => ({ currency: sum.currency, amount: sum[part] })),
      currency,
      formatMoneyExact,
    );
  const write = (part: "amount" | "captured" | "refunded" | "lost" | "withheld") => sumOf(revenue, part);
  const own = (part: "commission" | "fees" | "losses" | "held" | "owed") => sumOf(platform, part);
  const costs = [`payment fees ${own("fees")}`];
  if (platform.some(({ commission }) => commission < 0)) costs.unshift("refunds took back more than was earned");
  costs.push(
    ...lossesOf(platform, "losses", { lost: "dispute losses", wonBack: "dispute losses won back by appeals" }),
  );
  const more = [`captured ${write("captured")}`, `refunded ${write("refunded")}`];
  more.push(...lossesOf(revenue, "lost", { lost: "lost in disputes", wonBack: "won back by appeals" }));
  if (revenue.some(({ withheld }) => withheld !== 0)) more.push(`withheld in open disputes ${write("withheld")}`);
  if (revenue.some(({ amount: sum }) => sum < 0)) more.push("so more left than arrived");
  const counts = statuses
    .flatMap(({ status, count, declined }) => {
      const label = (isDeclined: boolean) => paymentLabel(displayedPaymentStatus({ status, declined: isDeclined }));
      if (label(true) === label(false)) return [{ count, label: label(true) }];
      return [
        { count: declined, label: label(true) },
        { count: count - declined, label: label(false) },
      ];
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ count, label }) => `${count.toLocaleString("en-US")} ${label.toLowerCase().replace(" payment", "")}`);
  const period = [from && `from ${formatShortDate(from)}`, to && `to ${formatShortDate(to)}`].filter(Boolean).join(" ");
  const inPeriod = (text: string) => (period ? `${period}: ${text}` : text);
  const atEnd = (text: string) => (period ? `At the end of the period: ${text}` : text);
  return [
    { value: write("amount"), more: inPeriod(more.join(", ")) },
    { value: transactions.toLocaleString("en-US"), more: inPeriod(counts.join(", ") || "none yet") },
    { value: own("commission"), more: inPeriod(costs.join(", ")) },
    { value: own("held"), more: atEnd("until their shows are over") },
    { value: own("owed"), more: atEnd("from past shows and cancellations, not paid out yet") },
  ];
}

const kindLabel = (payment: ListedPayment): string => (payment.kind === "deposit" ? "Deposit" : "Balance");
const eventDay = (payment: ListedPayment): string => formatWeekdayDate(payment.booking.event_date);

function returnedOf({ currency, ...payment }: ListedPayment): string {
  const { refunded_cents: refunded, refunding_cents: refunding, disputed_cents: disputed } = payment;
  return [
    refunded > 0 ? `${formatMoneyExact(refunded, currency)} refunded` : "",
    refunding > 0 ? `${formatMoneyExact(refunding, currency)} being refunded` : "",
    disputed > 0 ? `${formatMoneyExact(disputed, currency)} lost in a dispute` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

const outcome = (payment: ListedPayment) => (
  <TwoLines
    first={<PaymentStatus payment={payment} />}
    second={payment.has_open_dispute ? <span className={styles.urgent}>Dispute is open</span> : returnedOf(payment)}
  />
);
const amount = (payment: ListedPayment) => formatMoneyExact(payment.amount, payment.currency);
const paidOn = ({ day }: ListedPayment) => formatShortDate(day);
const referenceOf = ({ provider, provider_ref: ref }: ListedPayment) => [provider, ref].filter(Boolean).join(" ");
const endOfReference = (payment: ListedPayment) => (
  <span className={styles.cutAtStart} title={referenceOf(payment)}>
    <bdi>{referenceOf(payment)}</bdi>
  </span>
);

const columns: ListColumn<ListedPayment>[] = [
  {
    title: "Artist",
    sort: "artist",
    cell: ({ artist, booking }) => (
      <RowLink to={paths.admin.booking(booking.id)} name={artist.name} more={booking.number} artist={artist} />
    ),
  },
  {
    title: "Promoter and event",
    sort: "promoter",
    cell: (payment) => <TwoLines first={payment.booking.promoter_name} second={eventDay(payment)} />,
    width: 9.5,
    from: 56,
  },
  {
    title: "Payment",
    sort: "paid",
    cell: (payment) => (
      <TwoLines first={`${kindLabel(payment)}, ${paidOn(payment)}`} second={endOfReference(payment)} />
    ),
    width: 11,
  },
  {
    title: "Status",
    sort: "status",
    cell: outcome,
    width: 10,
  },
  { title: "Amount", cell: amount, width: 6.75, amount: true, sort: "amount" },
  { title: "Receipt", cell: (payment) => <OpenReceipt payment={payment} />, width: 4.25 },
];

function useOpenPayment() {
  const address = useDialogAddress();
  const navigate = useNavigate();
  return (id: string) => void navigate(address({ payment: id }), { preventScrollReset: true });
}

function OpenReceipt({ payment }: Readonly<{ payment: ListedPayment }>) {
  const open = useOpenPayment();
  if (payment.status !== "succeeded") return null;
  const name = `${payment.booking.number}, ${kindLabel(payment)}`;
  return (
    <IconButton label={`Receipt and details: ${name}`} onClick={() => open(payment.id)}>
      <Receipt size={20} strokeWidth={1.6} aria-hidden />
    </IconButton>
  );
}

function PaymentList({ payments }: Readonly<{ payments: readonly ListedPayment[] }>) {
  const open = useOpenPayment();
  return (
    <DataList
      caption="Payments"
      ordered="newest first"
      standardSort="-paid"
      label="Payments"
      rows={payments}
      columns={columns}
      choice={{ exported: "payments" }}
      menu={(payment) => (
        <ActionsMenu name={`${payment.booking.number}, ${kindLabel(payment)}`}>
          {payment.status === "succeeded" ? (
            <Menu.Item onClick={() => open(payment.id)}>Receipt and details</Menu.Item>
          ) : null}
          <MenuLink to={paths.admin.booking(payment.booking.id)}>View booking</MenuLink>
        </ActionsMenu>
      )}
      card={(payment) => ({
        title: <CardLink to={paths.admin.booking(payment.booking.id)}>{payment.artist.name}</CardLink>,
        number: payment.booking.number,
        lines: [
          `${eventDay(payment)}, ${payment.booking.promoter_name}`,
          <span key="reference" className={styles.whole}>
            {paidOn(payment)}, {referenceOf(payment)}
          </span>,
        ],
        picture: payment.artist,
        foot: outcome(payment),
        amount: (
          <>
            <OpenReceipt payment={payment} />
            {amount(payment)}
            <small>{kindLabel(payment)}</small>
          </>
        ),
      })}
    />
  );
}

function OpenPayment() {
  const [query] = useSearchParams();
  const open = useOpenPayment();
  return <PaymentDialog id={query.get("payment")} onClose={() => open("")} />;
}
