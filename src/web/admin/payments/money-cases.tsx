import { Link } from "react-router";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { describeAnswerTime } from "../../booking/status/deadline-text.ts";
import { useNow } from "../../booking/use-now.ts";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { useMoneyCases } from "../../lib/api/overviews.ts";
import { formatDay, localMoment } from "../../lib/format/dates.ts";
import pages from "../../dashboard/lists/pages.module.css";
import styles from "./unreconciled.module.css";

const title = "Open cases of bookings";

export function MoneyCases({ isFailureShown = true }: Readonly<{ isFailureShown?: boolean }>) {
  const query = useMoneyCases();
  const now = useNow(60_000);
  if (query.error && !query.isFetching)
    return isFailureShown ? <SectionFailed className={pages.above} what={title} query={query} /> : null;
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <section className={`note cherry ${styles.section}`} aria-label={title}>
      <h2>{title}</h2>
      <p>Resolve each on the page of its booking. The nearest deadline is first.</p>
      <ul>
        {query.data.items.map((one) => (
          <li key={one.id}>
            <span>
              <strong>
                {capitalized(one.what)}, <span className="num">{formatMoneyExact(one.amount, one.currency)}</span>
              </strong>
              <span className={`small ${styles.purpose}`}>
                {one.booking_id ? (
                  <>
                    <Link to={paths.admin.booking(one.booking_id)}>{one.booking_number}</Link>, {one.artist_name}
                  </>
                ) : (
                  <>
                    A payment that belongs to no booking, <code>{one.ref}</code>
                  </>
                )}
                , since {formatDay(localMoment(one.since).day, { short: true })}
              </span>
            </span>
            {one.due ? <strong className="small">{capitalized(describeAnswerTime(one.due, now))}</strong> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
