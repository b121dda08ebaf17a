import { Link } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { MonthChart } from "../dashboard/charts/month-chart.tsx";
import { ListFailed } from "../dashboard/lists/list-states.tsx";
import { OverviewLoading, type Metric, MetricCards } from "../dashboard/metric-cards.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import { useAdminOverview, useAttention } from "../lib/api/overviews.ts";
import { useHiddenReviews, useReportedReviews } from "../lib/api/reviews.ts";
import { formatSums } from "../lib/format/amounts.ts";
import { formatDay, formatShortDate, formatRelativeMoment } from "../lib/format/dates.ts";
import { useSite } from "../lib/site.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { AttentionNote } from "./attention.tsx";
import { ReportedReviews } from "./reported-reviews.tsx";
import styles from "../dashboard/overview.module.css";

export const meta = () => [{ title: "Overview: Admin Panel" }];

const labels = ["Bookings", "Successful payments", "Contracts signed", "Active artists"] as const;

type AdminOverview = NonNullable<ReturnType<typeof useAdminOverview>["data"]>;

const moneyIn = [
  { name: "deposit_cents", label: "Deposits", color: "var(--ch-2)" },
  { name: "balance_cents", label: "Balances", color: "var(--ch-1)" },
] as const;

export default function AdminOverviewPage() {
  const query = useAdminOverview();
  const currency = useSite()?.currency ?? platformDefaults.currency;
  const known = query.data;
  const isComplete = [useAttention(), useReportedReviews(), useHiddenReviews()].every(({ isFetched }) => isFetched);
  return (
    <>
      <PageHead title="Overview">
        <p>
          {known
            ? `The last 30 days, ${formatShortDate(known.from)} to ${formatShortDate(known.to)}.`
            : query.error && !query.isFetching
              ? "The last 30 days."
              : "The figures of the last 30 days are loading."}
        </p>
      </PageHead>
      {query.error && !query.isFetching ? (
        <ListFailed what="The figures" query={query} />
      ) : known && isComplete ? (
        <>
          <AttentionNote />
          <ReportedReviews />
          <MetricCards labels={labels} figures={figuresOf(known, currency)} isTall />
          <div className={styles.needs}>
            <Needs needs={known.needs} />
          </div>
          <BackupLine backup={known.backup} />
          <div className={styles.sections}>
            <MonthChart
              title="Money in"
              text="What promoters paid in each of the last twelve months. Refunds are not deducted."
              months={known.money_in.months}
              series={moneyIn}
              currency={known.money_in.currency}
              otherCurrencies={known.money_in.other_currencies}
              empty="Nothing was paid in the last twelve months."
            />
            <BookingsByStatus byStatus={known.by_status} />
            <NextShows shows={known.next_shows} />
          </div>
        </>
      ) : (
        <OverviewLoading labels={labels} />
      )}
    </>
  );
}

function figuresOf(known: AdminOverview, currency: string): Metric[] {
  const { before } = known;
  const sum = known.revenue.find((one) => one.currency === before.currency)?.amount ?? 0;
  const added = known.active_artists - before.active_artists;
  const refunds = known.revenue.some(({ amount }) => amount < 0) ? "less refunds, which exceed them" : "less refunds";
  return [
    {
      value: String(known.bookings),
      more: compare(known.bookings, known.bookings_before),
      to: paths.admin.bookingsSince(known.from),
    },
    {
      value: formatSums(known.revenue, currency),
      more: `${known.payments} ${known.payments === 1 ? "payment" : "payments"}, ${refunds}, ${compare(sum, before.revenue, (cents) => formatMoney(cents, before.currency))}`,
      to: paths.admin.paymentsOf("succeeded", { from: known.from, to: known.to }),
    },
    {
      value: String(known.contracts_signed),
      more: `by both parties, ${compare(known.contracts_signed, before.contracts_signed)}`,
      to: paths.admin.contractsOf("signed", known.from),
    },
    {
      value: String(known.active_artists),
      more: `can be booked now, ${added === 0 ? "none" : added} new`,
      to: paths.admin.artistsOf("active"),
    },
  ];
}

function compare(now: number, before: number, write: (difference: number) => string = String): string {
  if (now === before) return "same as previous 30 days";
  // A word joiner: "−" alone would end a line.
  return `${now > before ? "+" : "−"}\u2060${write(Math.abs(now - before))} vs previous 30 days`;
}

function Needs({ needs }: Readonly<{ needs: AdminOverview["needs"] }>) {
  const { claims, admin_requests: requests, late_contracts: late, late_count: allLate } = needs;
  if (claims === 0 && requests === 0 && late.length === 0) return null;
  return (
    <section className={`${styles.section} ${styles.above}`} aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      <ul className={styles.lines}>
        {late.map(({ id, number, artist }) => (
          <li key={id}>
            <span>
              <Link to={paths.admin.booking(id)}>{`${artist}, ${number}`}</Link>: paid, and its contract has not been
              sent
            </span>
          </li>
        ))}
        {allLate > late.length ? (
          <li>
            <Link to={paths.admin.bookingsOf("deposit_paid")}>{`${allLate - late.length} more`}</Link>, paid and without
            a sent contract
          </li>
        ) : null}
        {requests > 0 ? (
          <li>
            <Link to={paths.admin.users}>
              {requests === 1 ? "1 user requests the admin role" : `${requests} users request the admin role`}
            </Link>
          </li>
        ) : null}
        {claims > 0 ? (
          <li>
            <Link to={paths.admin.users}>
              {claims === 1 ? "1 artist profile claim to decide" : `${claims} artist profile claims to decide`}
            </Link>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function BackupLine({ backup }: Readonly<{ backup: AdminOverview["backup"] }>) {
  const { state, last_verified_at: verified } = backup;
  const color = state === "none" ? "gold" : state === "verified" ? undefined : "cherry";
  return (
    <p className={`${color ? `note ${color}` : "small quiet"} ${styles.backup}`}>
      <Link to={paths.admin.components}>Last verified backup</Link>:{" "}
      {verified ? formatRelativeMoment(verified) : "none"}.
      {state === "none" ? " Without one, lost data cannot be restored." : ""}
      {state === "late" ? " That is more than 8 days ago." : ""}
      {state === "failed" ? " The newest one could not be restored." : ""}
    </p>
  );
}

function NextShows({ shows }: Readonly<{ shows: AdminOverview["next_shows"] }>) {
  return (
    <section className={styles.section}>
      <h2>Next on stage</h2>
      {shows.length === 0 ? <p className="quiet">No confirmed shows ahead.</p> : null}
      <ul className={styles.shows}>
        {shows.map((show) => (
          <li key={show.id}>
            <span className="small quiet">
              {formatDay(show.event_date, { short: true })}, {show.event_time}
            </span>
            <img src={posterUrl(show.artist, "mark")} width={200} height={200} alt="" />
            <span>
              <strong>
                <Link to={paths.admin.booking(show.id)}>{show.artist.name}</Link>
              </strong>
              <span className={`small quiet ${styles.second}`}>{show.venue_name}</span>
            </span>
            <StatusBadge entity="booking" value={show.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function BookingsByStatus({ byStatus }: Readonly<{ byStatus: AdminOverview["by_status"] }>) {
  const open = byStatus.filter(({ status }) => status !== "completed" && status !== "canceled");
  const max = Math.max(1, ...open.map((one) => one.count));
  return (
    <section className={styles.section}>
      <h2>Open bookings by status</h2>
      <p className="small quiet">All open bookings, not only those of the last 30 days.</p>
      <ul className={styles.bars}>
        {open.map(({ status, count }) => (
          <li key={status}>
            <Link to={paths.admin.bookingsOf(status)}>
              <StatusBadge entity="booking" value={status} />
              <span className={styles.bar} aria-hidden>
                <i style={{ width: `${(100 * count) / max}%` }} />
              </span>
              <span className={styles.count}>{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
