import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { ListFailed, ListLoading } from "../../dashboard/lists/list-states.tsx";
import { type BusyTime, type HeldNight, useBusyTimes } from "../../lib/api/artist-calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../lib/api/booking-lists.ts";
import { formatDay, formatMonth, localToday } from "../../lib/format/dates.ts";
import { type Month, monthOfText, monthText } from "../../lib/format/months.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Calendar, type CalendarDay } from "../../ui/calendar/calendar.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { openAddHold } from "./add-hold.tsx";
import { openBlockNights } from "./block-nights.tsx";
import { BusyRow, BusySlip, describeBusy, isBusyOn } from "./busy-times.tsx";
import { describeHolds, HoldRow, HoldSlips } from "./held-nights.tsx";
import styles from "./calendar.module.css";

type Props = Readonly<{
  month: Month;
  action(booking: ArtistBooking): ReactNode;
}>;

/** What stands below the month is shown with it, so that it never moves; it loads meanwhile. */
export function BookingsCalendar({ month, action, children }: Props & Readonly<{ children?: ReactNode }>) {
  const address = useListAddress();
  const navigate = useNavigate();
  const query = useArtistMonth(monthText(month));
  const times = useBusyTimes(month);
  const { busy = [], holds = [] } = times.data ?? {};
  // While the next month loads, the rows of the one before are still there.
  const bookings = query.data?.items.filter((one) => one.event_date.startsWith(monthText(month)));
  const failure = query.error ?? times.error;
  const failed = failure && !query.isFetching && !times.isFetching ? failure : undefined;
  const retry = () => {
    if (query.error) void query.refetch();
    if (times.error) void times.refetch();
  };
  const addressOf = (one: Month) => address({ month: monthText(one) });
  return (
    <>
      <section className={styles.calendar} aria-label="Calendar" aria-busy={query.isPlaceholderData || undefined}>
        <Calendar
          month={month}
          onMonth={(one) => void navigate(addressOf(one), { preventScrollReset: true })}
          addressOf={addressOf}
          label="Shows, requests, holds and blocked nights"
          heading="h2"
          today={localToday()}
          dayOf={(date) =>
            dayWith(
              (bookings ?? []).filter((one) => one.event_date === date),
              busy.filter((one) => isBusyOn(one, date)),
              holds.filter((one) => one.night === date),
            )
          }
          className={styles.month}
          beside={
            <>
              <Link
                className={buttonClass({ tone: "line", size: "sm" })}
                to={address({ month: "" })}
                preventScrollReset
              >
                Today
              </Link>
              <Button
                tone="line"
                size="sm"
                disabled={!times.data}
                onClick={() =>
                  openBlockNights({ night: firstAhead(month), nightEndsAt: times.data?.nightEndsAt ?? "" })
                }
              >
                <Lock size={16} aria-hidden /> Block nights
              </Button>
              <Button tone="line" size="sm" disabled={!times.data} onClick={() => openAddHold(firstAhead(month))}>
                Add hold
              </Button>
            </>
          }
          instead={
            failed ? (
              <ListFailed what="The calendar" error={failed} onRetry={retry} />
            ) : bookings && times.data ? undefined : (
              <ListLoading what="the calendar" />
            )
          }
        />
        {bookings && times.data && !failed ? (
          <Agenda
            month={month}
            bookings={bookings}
            busy={busy}
            holds={holds}
            loading={query.isPlaceholderData}
            action={action}
          />
        ) : null}
      </section>
      <div hidden={!(bookings && times.data) && !failed}>{children}</div>
    </>
  );
}

/** Today, or the first night of a month that is still to come. */
function firstAhead(month: Month): string {
  const [first, today] = [`${monthText(month)}-01`, localToday()];
  return first < today ? today : first;
}

function dayWith(
  bookings: readonly ArtistBooking[],
  busy: readonly BusyTime[],
  holds: readonly HeldNight[],
): CalendarDay {
  const others = busy.length + holds.length;
  return {
    state: bookings[0] ? statusOf(bookings[0]) : holds[0] ? "hold" : busy[0]?.kind,
    label: [
      bookings.length > 0 || others === 0 ? describeBookings(bookings) : "",
      describeHolds(holds),
      describeBusy(busy),
    ]
      .filter(Boolean)
      .join(", "),
    content: bookings.length + others > 0 && [
      ...bookings.map((booking) => (
        <Link
          key={booking.id}
          className={styles.slip}
          data-status={statusOf(booking)}
          to={paths.artistArea.booking(booking.id)}
          tabIndex={-1}
        >
          <strong>
            {booking.event_time}, {booking.promoter_name}
          </strong>
          {booking.hold ? (
            <span className={styles.state}>{heldLabel}</span>
          ) : (
            <StatusBadge entity="booking" value={booking.status} />
          )}
        </Link>
      )),
      <HoldSlips key="holds" held={holds} />,
      ...busy.map((one) => <BusySlip key={one.id} busy={one} />),
    ],
  };
}

const heldLabel = "Held at the checkout";

function describeBookings(bookings: readonly ArtistBooking[]): string {
  if (bookings.length === 0) return "no bookings";
  const states = bookings.map(({ hold, status }) => (hold ? heldLabel : bookingStatusLabel(status)));
  return `${bookings.length} ${bookings.length === 1 ? "booking" : "bookings"}: ${states.join(", ")}`;
}

const statusOf = ({ hold, status }: ArtistBooking): string => (hold ? "hold" : status);

function Agenda({
  month,
  bookings,
  busy,
  holds,
  loading,
  action,
}: Props &
  Readonly<{
    bookings: readonly ArtistBooking[];
    busy: readonly BusyTime[];
    holds: readonly HeldNight[];
    loading: boolean;
  }>) {
  const name = formatMonth(month).split(" ")[0];
  const first = `${monthText(month)}-01`;
  const rows = [
    ...bookings.map((booking) => ({
      id: booking.id,
      date: booking.event_date,
      row: <BookingRow booking={booking} action={action} />,
    })),
    ...holds.map((one) => ({ id: one.id, date: one.night, row: <HoldRow held={one} /> })),
    ...busy.map((one) => ({ id: one.id, date: one.night < first ? first : one.night, row: <BusyRow busy={one} /> })),
  ].sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return (
    <section className={styles.agenda} aria-labelledby="agenda">
      <h3 id="agenda">{name}, as a list</h3>
      {rows.length === 0 ? (
        <p className="quiet">{loading ? "Loading" : "No shows, no requests and no holds in this month."}</p>
      ) : (
        <ul>
          {rows.map(({ id, date, row }) => (
            <li key={id}>
              <span className={styles.date}>
                <b>{Number(date.slice(8))}</b>
                <small>{formatDay(date, { short: true }).split(" ")[0]}</small>
              </span>
              {row}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const BookingRow = ({ booking, action }: Readonly<{ booking: ArtistBooking }> & Pick<Props, "action">) => (
  <>
    <span className={styles.what}>
      <Link to={paths.artistArea.booking(booking.id)}>
        {booking.promoter_name}, {booking.venue_name}
      </Link>
      <small>
        {booking.event_time}
        {booking.duration ? `, ${booking.duration}` : ""}, <span className="num">{booking.number}</span>
      </small>
    </span>
    <span className={styles.end}>
      <StatusBadge entity="booking" value={booking.status} />
      {action(booking)}
    </span>
  </>
);

/** The month that an address names; nonsense, or nothing, is the present one. */
export const monthOfAddress = (text: string | null): Month =>
  monthOfText(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text ?? "") ? `${text}-01` : localToday());
