import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import { ListFailed } from "../../../dashboard/lists/list-states.tsx";
import { type BusyTime, type HeldNight, useBusyTimes, useLongDrives } from "../../../lib/api/artist-calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../../lib/api/booking-lists.ts";
import { localToday } from "../../../lib/format/dates.ts";
import { type Month, monthOfText, monthText } from "../../../lib/format/months.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Calendar, type CalendarDay } from "../../../ui/calendar/calendar.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Agenda } from "./agenda.tsx";
import { openBlockNights } from "../block-nights.tsx";
import { BusySlip, describeBusy, isBusyOn } from "../busy-times.tsx";
import { CalendarButtons } from "../calendar-buttons.tsx";
import { CalendarLegend } from "../calendar-legend.tsx";
import { MonthLoading } from "../calendar-loading.tsx";
import kinds from "../kinds.module.css";
import { describeHolds, HoldSlips } from "../held-nights.tsx";
import { useNightSelection } from "./night-selection.ts";
import { labelOfNight } from "../night-status.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { LongDrive } from "../travel-warnings.tsx";
import selection from "./selection.module.css";
import styles from "../calendar.module.css";

type Props = Readonly<{
  month: Month;
  action(booking: ArtistBooking): ReactNode;
}>;

/** Renders the content below the month together with it, to avoid a layout shift. That content loads in parallel. */
export function BookingsCalendar({ month, action, children }: Props & Readonly<{ children?: ReactNode }>) {
  const address = useListAddress();
  const navigate = useNavigate();
  const query = useArtistMonth(monthText(month));
  const times = useBusyTimes(month);
  const { busy = [], holds = [] } = times.data ?? {};
  const longDrives = useLongDrives();
  const { chosen, clear, props } = useNightSelection(
    (nights, onDone) => times.data && openBlockNights({ ...nights, nightEndsAt: times.data.night_ends_at, onDone }),
  );
  // Filters by month, because the previous month's rows remain while the next month loads.
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
        <div {...props}>
          <Calendar
            month={month}
            onMonth={(one) => void navigate(addressOf(one), { preventScrollReset: true })}
            addressOf={addressOf}
            label="Shows, requests, holds and blocked nights"
            heading="h2"
            today={localToday()}
            dayOf={(date) =>
              dayWith({
                bookings: (bookings ?? []).filter((one) => one.event_date === date),
                busy: busy.filter((one) => isBusyOn(one, date)),
                holds: holds.filter((one) => one.night === date),
                word: times.data ? labelOfNight(times.data, date, closedLabel) : "",
                chosen: chosen !== undefined && chosen.from <= date && date <= chosen.to,
                longDrives,
              })
            }
            className={`${styles.month} ${selection.month} ${kinds.kinds}`}
            multiple
            beside={
              <CalendarButtons
                today={address({ month: "" })}
                suggested={
                  times.data && {
                    nights: { ...(chosen ?? { from: firstAhead(month), to: firstAhead(month) }), onDone: clear },
                    data: times.data,
                  }
                }
              />
            }
            instead={
              failed ? (
                <ListFailed what="The calendar" error={failed} onRetry={retry} />
              ) : bookings && times.data ? undefined : (
                <MonthLoading month={month} />
              )
            }
          />
        </div>
        {bookings && times.data && !failed ? (
          <>
            <CalendarLegend />
            <p className={`small quiet ${selection.hint}`}>
              Drag over nights to choose them, or press Shift and the arrow keys. B blocks the chosen nights.
            </p>
            <SelectionBar nights={chosen} data={times.data} onClear={clear} />
          </>
        ) : null}
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

const closedLabel = "Closed";

function firstAhead(month: Month): string {
  const [first, today] = [`${monthText(month)}-01`, localToday()];
  return first < today ? today : first;
}

type DayEntries = Readonly<{
  bookings: readonly ArtistBooking[];
  busy: readonly BusyTime[];
  holds: readonly HeldNight[];
  /** Set if the night differs: closed to requests, or open although its weekday is closed. */
  word: string;
  chosen: boolean;
  longDrives: ReadonlySet<string>;
}>;

function dayWith({ bookings, busy, holds, word, chosen, longDrives }: DayEntries): CalendarDay {
  const others = busy.length + holds.length;
  const [active] = bookings.filter(({ status }) => status !== "canceled");
  return {
    state: active
      ? kindOf(active)
      : holds[0]
        ? "hold"
        : (busy[0]?.kind ?? (word === closedLabel ? "closed" : undefined)),
    chosen,
    label: [
      bookings.length > 0 || others === 0 ? describeBookings(bookings) : "",
      describeHolds(holds),
      describeBusy(busy),
      word.toLowerCase(),
    ]
      .filter(Boolean)
      .join(", "),
    content: bookings.length + others + word.length > 0 && [
      word ? (
        <small key="word" className={selection.word} aria-hidden>
          {word}
        </small>
      ) : null,
      ...bookings.map((booking) => (
        <BookingSlip key={booking.id} booking={booking} isLongDrive={longDrives.has(booking.id)} />
      )),
      <HoldSlips key="holds" held={holds} />,
      ...busy.map((one) => <BusySlip key={one.id} busy={one} />),
    ],
  };
}

function BookingSlip({ booking, isLongDrive }: Readonly<{ booking: ArtistBooking; isLongDrive: boolean }>) {
  const link = { to: paths.artistArea.booking(booking.id), tabIndex: -1 };
  if (booking.status === "canceled")
    return (
      <Link className={styles.canceled} {...link}>
        Canceled, {booking.promoter_name}
      </Link>
    );
  return (
    <Link className={styles.slip} data-kind={kindOf(booking)} {...link}>
      <strong>
        {booking.event_time}, {booking.promoter_name}
      </strong>
      {booking.hold ? (
        <span className={styles.state}>{heldLabel}</span>
      ) : (
        <StatusBadge entity="booking" value={booking.status} />
      )}
      {isLongDrive ? <LongDrive /> : null}
    </Link>
  );
}

const heldLabel = "Held at the checkout";

function describeBookings(bookings: readonly ArtistBooking[]): string {
  if (bookings.length === 0) return "no bookings";
  const states = bookings.map(({ hold, status }) => (hold ? heldLabel : bookingStatusLabel(status)));
  return `${bookings.length} ${bookings.length === 1 ? "booking" : "bookings"}: ${states.join(", ")}`;
}

const kindOf = ({ hold, status }: ArtistBooking): "hold" | "request" | "show" =>
  hold ? "hold" : status === "initiated" ? "request" : "show";

/** Returns the month in the address. An invalid or missing one is the current month. */
export const monthOfAddress = (text: string | null): Month =>
  monthOfText(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text ?? "") ? `${text}-01` : localToday());
