/** /admin: the last thirty days of the platform. */
import { posterUrl } from "#artists/rules.ts";
import type { AdminOverview } from "#reports/api.ts";
import { MetricCards, type Metric } from "../dashboard/metric-cards.tsx";
import { ListFailed } from "../dashboard/lists/list-states.tsx";
import listStyles from "../dashboard/lists/list.module.css";
import styles from "../dashboard/overview.module.css";
import { StatusBadge } from "../dashboard/lists/status-badge.tsx";
import { formatSums } from "../dashboard/lists/booking-totals.ts";
import { formatDayAndMonth, formatDay } from "../lib/format/dates.ts";
import { useAdminOverview } from "../lib/api/overviews.ts";
import { useSite } from "../lib/site.ts";
import { AttentionNote } from "./attention.tsx";
import type { Route } from "./+types/overview-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Overview: Admin Panel" }];

const labels = ["Bookings", "Successful payments", "Contracts signed", "Active artists"] as const;

export default function AdminOverviewPage() {
  const query = useAdminOverview();
  const currency = useSite()?.currency ?? "usd";
  const known = query.data;
  return (
    <>
      <div className={listStyles.head}>
        <h1>Overview</h1>
        {known ? (
          <p>
            The last 30 days, {formatDayAndMonth(known.from)} to {formatDayAndMonth(known.to)} {known.to.slice(0, 4)}.
          </p>
        ) : null}
      </div>
      <AttentionNote />
      {query.error && !query.isFetching ? (
        <ListFailed what="The figures" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <MetricCards labels={labels} figures={known && figuresOf(known, currency)} />
          {known ? (
            <div className={styles.sections}>
              <NextShows shows={known.next_shows} />
              <Standing byStatus={known.by_status} />
            </div>
          ) : null}
        </>
      )}
    </>
  );
}

function figuresOf(known: AdminOverview, currency: string): Metric[] {
  const change = known.bookings - known.bookings_before;
  const texts = change === 0 ? "as many as" : `${Math.abs(change)} ${change > 0 ? "more" : "fewer"} than`;
  return [
    { label: labels[0], value: String(known.bookings), more: `${texts} the 30 days before` },
    {
      label: labels[1],
      value: formatSums(known.revenue, currency),
      more: `${known.payments} payments, refunds taken off`,
    },
    { label: labels[2], value: String(known.contracts_signed), more: "by both sides" },
    { label: labels[3], value: String(known.active_artists), more: "can be booked now" },
  ];
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
              <strong>{show.artist.name}</strong>
              <br />
              <span className="small quiet">{show.venue_name}</span>
            </span>
            <StatusBadge machine="booking" value={show.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Standing({ byStatus }: Readonly<{ byStatus: AdminOverview["by_status"] }>) {
  const most = Math.max(1, ...byStatus.map((one) => one.count));
  return (
    <section className={styles.section}>
      <h2>Where bookings stand</h2>
      <p className="small quiet">All bookings, not only those of the last 30 days.</p>
      <dl className={styles.bars}>
        {byStatus.map(({ status, count }) => (
          <div key={status} className={status === "canceled" ? styles.off : undefined}>
            <dt>
              <StatusBadge machine="booking" value={status} />
            </dt>
            <dd>
              <i style={{ width: `${(100 * count) / most}%` }} />
              <span className={styles.count}>{count}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
