import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { useExternalCalendars } from "../../lib/api/calendar-feeds.ts";
import { formatDay } from "../../lib/format/dates.ts";
import styles from "./feeds.module.css";

/** Shows that overlap another calendar's entry, or only the one `of` a booking. Renders nothing without a conflict, because the calendars' section reports failures. */
export function ImportConflicts({ of }: Readonly<{ of?: string }>) {
  const known = useExternalCalendars().data?.conflicts ?? [];
  const conflicts = known.filter(({ booking_id }) => of === undefined || booking_id === of);
  if (conflicts.length === 0) return null;
  return (
    <div className={`note cherry ${styles.conflicts}`} role="status">
      <div>
        <strong>{conflicts.length === 1 ? "1 conflict" : `${conflicts.length} conflicts`} with another calendar</strong>
        <ul>
          {conflicts.map(({ booking_id, number, event_date, calendar_name }) => (
            <li key={booking_id}>
              {formatDay(event_date)}: a show and an entry from {calendar_name} overlap.{" "}
              {of ? null : <Link to={paths.artistArea.booking(booking_id)}>View booking {number}</Link>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
