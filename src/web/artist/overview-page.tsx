import { Link } from "react-router";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { ArtistOverview, OverviewShow } from "#reports/api.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { useReleaseDialog } from "../booking/actions/release-dialog.tsx";
import { ImportConflicts } from "../dashboard/calendar-feeds/import-conflicts.tsx";
import { ListFailed } from "../dashboard/lists/list-states.tsx";
import { OverviewLoading, MetricCards, type Metric } from "../dashboard/metric-cards.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import type { browserApi } from "../lib/api/browser-api.ts";
import { useArtistOverview } from "../lib/api/overviews.ts";
import { formatSums } from "../lib/format/amounts.ts";
import {
  daysBetween,
  formatDayAndMonth,
  formatDay,
  formatMonth,
  localToday,
  readDay,
  localMoment,
} from "../lib/format/dates.ts";
import { useSite } from "../lib/site.ts";
import { LinkButton, Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/states/states.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ArtistPendingActions } from "./bookings/artist-pending-actions.tsx";
import { TravelWarnings } from "./calendar/travel-warnings.tsx";
import { NoProfile, StepsToBooking } from "./no-profile.tsx";
import { ProfileClaimSection } from "./profile-claim-section.tsx";
import styles from "../dashboard/overview.module.css";

export const meta = () => [{ title: "Overview: Artist Dashboard" }];

const labels = ["Upcoming Shows", "Awaiting Signature", "Deposits This Month", "Outstanding Balances"] as const;

export default function ArtistOverviewPage() {
  const query = useArtistOverview();
  const currency = useSite()?.currency ?? platformDefaults.currency;
  const known = query.data;
  return (
    <>
      <PageHead title="Overview">
        <p>{formatDay(localToday(), { year: true })}. Deadlines are in your time zone.</p>
      </PageHead>
      {query.error && !query.isFetching ? (
        <ListFailed what="The figures" query={query} />
      ) : (
        <>
          {known?.price_to_confirm ? <PriceToConfirm currency={known.price_to_confirm.toUpperCase()} /> : null}
          {known?.has_profile ? (
            <>
              <ImportConflicts />
              <TravelWarnings />
            </>
          ) : null}
          {known?.has_profile === false ? null : <ArtistPendingActions alone />}
          {known ? (
            <>
              {known.next_show ? <NextShow show={known.next_show} /> : null}
              {known.has_profile ? null : <WithoutProfile />}
              <MetricCards labels={labels} figures={figuresOf(known, currency)} />
              {known.has_profile ? <BookingSections ahead={known.ahead} held={known.held} /> : <ProfileClaimSection />}
              {known.next_show || !known.has_profile ? null : <NothingAhead steps={known.open_steps} />}
            </>
          ) : (
            <OverviewLoading labels={labels} isArtist />
          )}
        </>
      )}
    </>
  );
}

const PriceToConfirm = ({ currency }: Readonly<{ currency: string }>) => (
  <p className={`note gold ${styles.above}`} role="note">
    <strong>Confirm your price in {currency}.</strong> The platform&apos;s currency has changed. You cannot be booked
    until you enter your rates in {currency}. <Link to={paths.artistArea.profile}>Open My Profile</Link>
  </p>
);

function figuresOf(known: Omit<ArtistOverview, "held">, currency: string): Metric[] {
  const next = known.next_show;
  return [
    {
      value: String(known.upcoming_shows),
      more: next ? `confirmed, next ${formatDay(next.event_date, { short: true })}` : "none is confirmed yet",
      to: paths.artistArea.bookings,
    },
    {
      value: String(known.awaiting_signature),
      more: known.awaiting_signature === 1 ? "contract to sign" : "contracts to sign",
      to: paths.artistArea.bookingsOf("needs_you"),
    },
    {
      value: formatSums(known.deposits_sum, currency),
      more: `${count(known.deposits, "deposit")} since ${formatDayAndMonth(known.month_from)}`,
      to: paths.artistArea.payouts,
    },
    {
      value: formatSums(known.outstanding, currency),
      more: `${count(known.balances, "balance")} of confirmed shows`,
      to: paths.artistArea.bookingsOf("unpaid"),
    },
  ];
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

function NextShow({ show }: Readonly<{ show: OverviewShow }>) {
  const day = readDay(show.event_date);
  const [weekday = ""] = formatDay(show.event_date).split(" ");
  const guests = show.guest_count === null ? "" : `, ${show.guest_count} guests`;
  return (
    <section className={styles.next} aria-labelledby="next-show">
      <div className={styles.day}>
        <span>{weekday}</span>
        <b>{day?.day}</b>
        <span>{day ? formatMonth(day).split(" ")[0] : ""}</span>
      </div>
      <div>
        <p className="small quiet">Next show, {describeDaysUntil(show.event_date)}</p>
        <h2 id="next-show">
          <Link className={styles.quietLink} to={paths.artistArea.booking(show.id)}>
            {show.venue_name}
          </Link>
        </h2>
        <p className={`small quiet ${styles.details}`}>
          {show.event_time}, {show.promoter_name}, {show.event_type}
          {guests}
        </p>
        <p>
          <StatusBadge entity="booking" value={show.status} />{" "}
          {show.balance_paid ? <span className="small quiet">{describeHeld(show)}</span> : null}
        </p>
      </div>
    </section>
  );
}

const describeHeld = ({ kept_cents: kept, fee_cents: fee, currency }: OverviewShow): string =>
  kept >= fee ? "held in full" : `${formatMoney(kept, currency)} held`;

function describeDaysUntil(day: string): string {
  const days = daysBetween(localToday(), day);
  if (days <= 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}

const WithoutProfile = () => (
  <section className={`${styles.section} ${styles.above}`}>
    <NoProfile text="Your account has no artist profile yet, so you cannot be booked." hasSteps />
  </section>
);

const NothingAhead = ({ steps }: Readonly<{ steps: ArtistOverview["open_steps"] }>) => (
  <section className={`${styles.section} ${styles.foot}`}>
    <EmptyState
      heading="h2"
      title="No confirmed shows ahead"
      text="A show is confirmed when its deposit is paid, or when you accept a request without one. Requests are in your bookings."
    >
      <LinkButton tone="line" to={paths.artistArea.bookings}>
        Open Bookings
      </LinkButton>
      {steps.length > 0 ? <StepsToBooking names={steps} isLinked /> : null}
    </EmptyState>
  </section>
);

type Overview = Awaited<ReturnType<typeof browserApi.overviews.artist>>;
type HeldDates = Overview["held"];

function BookingSections({ ahead, held }: Readonly<{ ahead: Overview["ahead"]; held: HeldDates }>) {
  if (ahead.length === 0 && held.length === 0) return null;
  return (
    <div className={styles.sections}>
      {ahead.length > 0 ? <Ahead bookings={ahead} /> : null}
      {held.length > 0 ? <Held bookings={held} /> : null}
    </div>
  );
}

function Ahead({ bookings }: Readonly<{ bookings: Overview["ahead"] }>) {
  return (
    <section className={styles.section}>
      <h2>Your bookings</h2>
      <ul className={styles.lines}>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <span>
              <strong>
                <Link className={styles.quietLink} to={paths.artistArea.booking(booking.id)}>
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
      <p className={`small ${styles.foot}`}>
        <Link to={paths.artistArea.bookings}>All bookings</Link>
      </p>
    </section>
  );
}

function Held({ bookings }: Readonly<{ bookings: HeldDates }>) {
  const openRelease = useReleaseDialog();
  return (
    <section className={styles.section}>
      <h2>{bookings.length === 1 ? "1 checkout is open" : `${bookings.length} checkouts are open`}</h2>
      <ul className={styles.lines}>
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
      <p className={`small quiet ${styles.foot}`}>
        A checkout that is not paid by then ends. Releasing the date cancels it. A payment that arrives later is
        refunded in full.
      </p>
    </section>
  );
}
