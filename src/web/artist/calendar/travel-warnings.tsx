import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { useTravelWarnings } from "../../lib/api/artist/calendar.ts";
import { formatDay } from "../../lib/format/dates.ts";
import styles from "./warnings.module.css";

const maxWarnings = 3;

/** `of` limits the list to one booking. Renders nothing without a warning. */
export function TravelWarnings({ of }: Readonly<{ of?: string }>) {
  const known = useTravelWarnings().data?.items ?? [];
  const warnings = known.filter(
    ({ first, next }) => of === undefined || [first.booking_id, next.booking_id].includes(of),
  );
  if (warnings.length === 0) return null;
  return (
    <div className={`note gold ${styles.warnings}`} role="status">
      <div>
        <strong>
          {warnings.length === 1 ? "1 drive is" : `${warnings.length} drives are`} longer than the time between two
          shows
        </strong>
        <ul>
          {warnings.slice(0, maxWarnings).map(({ first, next, message }) => (
            <li key={`${first.booking_id} ${next.booking_id}`}>
              {message}{" "}
              {[first, next]
                .filter(({ booking_id }) => booking_id !== of)
                .map(({ booking_id, event_date, is_request }) => (
                  <Link key={booking_id} to={paths.artistArea.booking(booking_id)}>
                    View {is_request ? "request" : "show"} of {formatDay(event_date, { short: true })}
                  </Link>
                ))}
            </li>
          ))}
        </ul>
        <p className="small">
          {warnings.length > maxWarnings ? `${warnings.length - maxWarnings} more are later. ` : ""}Nothing is refused.
          Your speed is in the <Link to={paths.artistArea.settings("availability")}>settings</Link>.
        </p>
      </div>
    </div>
  );
}

export const LongDrive = () => (
  <strong className={styles.mark}>
    <TriangleAlert size={14} aria-hidden /> Long drive
  </strong>
);
