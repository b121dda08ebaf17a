import { useState } from "react";
import { Link } from "react-router";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { payoutSorts } from "#reports/lists/payments.rules.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { DocumentItems } from "../../booking/documents/document-items.tsx";
import { MonthChart } from "../../dashboard/charts/month-chart.tsx";
import { isMonth, useMonth, useSort, useTypedFilter } from "../../dashboard/lists/address.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { ActionsMenu, MenuLink, CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import { ExportButton } from "../../dashboard/lists/list-filters.tsx";
import { ListBody, ListFailed, ListLoading, LoadMore } from "../../dashboard/lists/list-states.tsx";
import { MetricCards } from "../../dashboard/metric-cards.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SettingsSection, SettingsSheet } from "../../dashboard/settings/settings-sheet.tsx";
import { usePayouts } from "../../lib/api/own-payments.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatSignedMoney, formatSums } from "../../lib/format/amounts.ts";
import { dayIn, formatWeekdayDate } from "../../lib/format/dates.ts";
import { describePayout, payoutLines } from "../../lib/format/payouts.ts";
import { useSite } from "../../lib/site.ts";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { needsArtistAction, PaymentAccount } from "./payment-account.tsx";
import styles from "./payouts.module.css";

export const meta = () => [{ title: "Payouts & Earnings: Artist Dashboard" }];

const labels = ["Total Earnings", "Pending Payouts", "Completed Payments"] as const;
type Payouts = NonNullable<ReturnType<typeof usePayouts>["payouts"]>;

const earningSeries = [
  { name: "earned_cents", label: "Earned", color: "var(--ch-1)" },
  { name: "held_cents", label: "Held until the show", color: "var(--ch-2)" },
] as const;

export default function PayoutsPage() {
  const month = useMonth();
  const monthField = useTypedFilter("month", month, isMonth);
  const { query, payouts: known } = usePayouts({ month, sort: useSort(payoutSorts) });
  const hasTransactions =
    month !== "" ||
    known?.items.length ||
    known?.months.some(({ earned_cents: earned, held_cents: held }) => earned !== 0 || held !== 0);
  return (
    <>
      <PageHead title="Payouts & Earnings" />
      {query.error && !known && !query.isFetching ? (
        <ListFailed what="Your earnings" query={query} />
      ) : (
        <div className={styles.page}>
          {known ? (
            <>
              {needsArtistAction(known) ? <PaymentAccount account={known} isNotice /> : null}
              <MetricCards labels={labels} figures={figuresOf(known)} />
              {known.next ? <NextPayout payout={known.next} /> : null}
              {hasTransactions ? (
                <MonthChart
                  title="Your months"
                  text="By the month of the event, after commission."
                  months={known.months}
                  series={earningSeries}
                  currency={known.currency}
                  otherCurrencies={known.other_currencies}
                  empty="No earnings in these twelve months."
                />
              ) : null}
              <section className={styles.recent} aria-labelledby="recent">
                <div className={styles.recentHead}>
                  <h2 id="recent">Recent Transactions</h2>
                  {hasTransactions ? (
                    <>
                      <ExportButton list="payouts" filters={{}} label="Export all" />
                      <label>
                        Month of the event
                        <input
                          className="in"
                          type="month"
                          data-empty={monthField.value === "" || undefined}
                          {...monthField}
                        />
                      </label>
                    </>
                  ) : null}
                </div>
                <ListBody
                  query={query}
                  what="Your transactions"
                  count={known.items.length}
                  empty={month ? noneInMonth : none}
                  foot={<LoadMore query={query} count={known.items.length} />}
                >
                  <Transactions items={known.items} />
                </ListBody>
              </section>
              <HowItWorks known={known} />
            </>
          ) : (
            <PayoutsLoading />
          )}
        </div>
      )}
    </>
  );
}

const PayoutsLoading = () => (
  <>
    <MetricCards labels={labels} figures={undefined} />
    <Skeleton className={styles.nextLoading ?? ""} aria-hidden />
    <section className={styles.recent} aria-labelledby="recent">
      <div className={styles.recentHead}>
        <h2 id="recent">Recent Transactions</h2>
        <Skeleton height="2.75rem" width="18rem" aria-hidden />
      </div>
      <ListLoading what="your transactions" />
    </section>
  </>
);

const figuresOf = ({ currency, earnings, pending, completed_count }: Payouts) => [
  {
    value: formatSums(earnings, currency, formatMoneyExact),
    more: earnings.some(({ amount }) => amount < 0)
      ? "less commission and what was returned to promoters"
      : "from played and canceled shows, less commission",
  },
  {
    value: formatSums(pending, currency, formatMoneyExact),
    more: pending.some(({ amount }) => amount !== 0) ? "released, not paid out yet" : "nothing waits to be paid out",
  },
  { value: String(completed_count), more: "deposits and balances paid" },
];

function NextPayout({ payout }: Readonly<{ payout: NonNullable<Payouts["next"]> }>) {
  const { booking_id: id, number, promoter_name: promoter, event_date: event, amount, currency } = payout;
  return (
    <section className={styles.next} aria-labelledby="next-payout">
      <h2 id="next-payout">Next payout</h2>
      <p className={`num ${styles.amount}`}>{formatMoneyExact(amount, currency)}</p>
      <p>
        <strong className={styles.due}>{describePayout(payout)}</strong>
        <span className="small quiet">
          {promoter}, {formatWeekdayDate(event)}, <Link to={paths.artistArea.booking(id)}>{number}</Link>
        </span>
      </p>
    </section>
  );
}

function HowItWorks({ known }: Readonly<{ known: Payouts }>) {
  return (
    <SettingsSheet>
      {needsArtistAction(known) ? null : <PaymentAccount account={known} />}
      <YearlyStatement firstYear={known.first_year} />
      <SettingsSection title="Payout Schedule" why="When money reaches you.">
        <p>Payouts are automatic after events complete, typically within 2-7 business days.</p>
      </SettingsSection>
      <SettingsSection title="Payment Flow" why="What happens to each payment.">
        <ol className={styles.flow}>
          <li>Event completed</li>
          <li>Client payment verified</li>
          <li>Platform fee deducted</li>
          <li>Payout</li>
        </ol>
      </SettingsSection>
    </SettingsSheet>
  );
}

function YearlyStatement({ firstYear }: Readonly<{ firstYear: number | null }>) {
  const timeZone = useSite()?.timeZone ?? platformDefaults.timeZone;
  const thisYear = Number(dayIn(timeZone, currentTime()).slice(0, 4));
  const [year, setYear] = useState(String(thisYear));
  const count = Math.max(1, thisYear - (firstYear ?? thisYear) + 1);
  const years = Array.from({ length: count }, (_, back) => String(thisYear - back));
  return (
    <SettingsSection
      title="Yearly statement"
      why="Your earnings released in one year, with the day each was paid out, and your receipts, invoices and statements, as CSV files."
    >
      <div className={styles.choices}>
        <label>
          Year of the statement
          <select className="in" value={year} onChange={(event) => setYear(event.currentTarget.value)}>
            {years.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <ExportButton list="payouts" filters={{ year }} label="Download statement" />
        <ExportButton
          list="artistDocuments"
          filters={{ from: `${year}-01-01`, to: `${year}-12-31` }}
          label="Download documents"
        />
      </div>
    </SettingsSection>
  );
}

const noneInMonth = {
  title: "No transactions in this month",
  text: "Choose another month, or clear it to see all.",
};
const none = { title: "No transactions yet", text: "Each booking whose deposit is paid appears here." };

type Transaction = Payouts["items"][number] & Readonly<{ id: string }>;
const money = (cents: number, { currency }: Transaction) => formatMoneyExact(cents, currency);
const dayOf = (one: Transaction) => formatWeekdayDate(one.event_date);
const reasonOf = (one: Transaction) =>
  one.is_cancellation_fee ? "Cancellation fee" : one.is_agreed_end ? "Agreed end" : undefined;
const statusOf = (one: Transaction) => <StatusBadge entity="payout" value={one.status} />;

const columns: ListColumn<Transaction>[] = [
  {
    title: "Promoter",
    sort: "promoter",
    cell: (one) => <RowLink to={paths.artistArea.booking(one.booking_id)} name={one.promoter_name} more={one.number} />,
  },
  { title: "Event", cell: (one) => <TwoLines first={dayOf(one)} second={reasonOf(one)} />, width: 9.25, sort: "event" },
  {
    title: "Status",
    cell: (one) => (
      <span className={payoutLines(one).length > 1 ? undefined : styles.status}>
        {statusOf(one)}
        {payoutLines(one).map((line) => (
          <small key={line} title={line}>
            {line}
          </small>
        ))}
      </span>
    ),
    width: "clamp(14.5rem, 26cqi, 17rem)",
    sort: "status",
  },
  { title: "Gross", cell: (one) => money(one.gross, one), width: 7, amount: true, sort: "gross" },
  {
    title: "Commission",
    cell: (one) => formatSignedMoney(-one.commission, one.currency),
    width: 7.25,
    from: 56,
    amount: true,
    sort: "commission",
  },
  { title: "Net", cell: (one) => money(one.amount, one), width: 7, amount: true, sort: "net" },
];

const Transactions = ({ items }: Readonly<Pick<Payouts, "items">>) => (
  <DataList
    caption="Your transactions"
    ordered="latest event first"
    standardSort="-event"
    label="Transactions"
    rows={items.map((one): Transaction => ({ ...one, id: one.booking_id }))}
    columns={columns}
    menu={(one) => (
      <ActionsMenu name={`${one.promoter_name}, ${one.number}`}>
        <DocumentItems documents={one.documents} />
        <MenuLink to={paths.artistArea.booking(one.booking_id)}>View booking</MenuLink>
      </ActionsMenu>
    )}
    card={(one) => ({
      title: <CardLink to={paths.artistArea.booking(one.booking_id)}>{one.promoter_name}</CardLink>,
      number: one.number,
      lines: [[dayOf(one), reasonOf(one)].filter(Boolean).join(", "), ...payoutLines(one)],
      foot: statusOf(one),
      amount: (
        <TwoLines
          first={money(one.amount, one)}
          second={`${money(one.gross, one)} less ${money(one.commission, one)}`}
        />
      ),
    })}
  />
);
