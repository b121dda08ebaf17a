import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { useReleaseDialog } from "../../booking/actions/release-dialog.tsx";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { formatDay, localMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import overview from "../../dashboard/overview.module.css";

type Overview = Awaited<ReturnType<typeof browserApi.overviews.artist>>;
type HeldDates = Overview["held"];

export function BookingSections({ ahead, held }: Readonly<{ ahead: Overview["ahead"]; held: HeldDates }>) {
  if (ahead.length === 0 && held.length === 0) return null;
  return (
    <div className={overview.sections}>
      {ahead.length > 0 ? <Ahead bookings={ahead} /> : null}
      {held.length > 0 ? <Held bookings={held} /> : null}
    </div>
  );
}

function Ahead({ bookings }: Readonly<{ bookings: Overview["ahead"] }>) {
  return (
    <section className={overview.section}>
      <h2>Your bookings</h2>
      <ul className={overview.lines}>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <span>
              <strong>
                <Link className={overview.quietLink} to={paths.artistArea.booking(booking.id)}>
                  {formatDay(booking.event_date, { short: true })}, {booking.event_time}
                </Link>
              </strong>
              <small>{booking.promoter_name}</small>
              <small>{booking.venue_name}</small>
            </span>
            <StatusBadge entity="booking" value={booking.status} />
          </li>
        ))}
      </ul>
      <p className={`small ${overview.foot}`}>
        <Link to={paths.artistArea.bookings}>All bookings</Link>
      </p>
    </section>
  );
}

function Held({ bookings }: Readonly<{ bookings: HeldDates }>) {
  const openRelease = useReleaseDialog();
  return (
    <section className={overview.section}>
      <h2>{bookings.length === 1 ? "1 checkout is open" : `${bookings.length} checkouts are open`}</h2>
      <ul className={overview.lines}>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <span>
              <strong>{formatDay(booking.event_date)}</strong>
              <small>
                {booking.promoter_name} can pay until {localMoment(booking.expires_at).time}
              </small>
            </span>
            <Button tone="line" size="sm" onClick={() => openRelease(booking)}>
              Release
            </Button>
          </li>
        ))}
      </ul>
      <p className={`small quiet ${overview.foot}`}>
        A checkout that is not paid by then ends. Releasing the date cancels it. A payment that arrives later is
        refunded in full.
      </p>
    </section>
  );
}
