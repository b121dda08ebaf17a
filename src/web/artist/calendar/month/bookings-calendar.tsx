import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingRow, type CalendarBooking, kindOf } from "../../../booking/calendar/booking-entries.tsx";
import { BookingsMonth, dayOfEntries, noEntries } from "../../../booking/calendar/bookings-month.tsx";
import { type CalendarHold, HoldRow } from "../../../booking/calendar/hold-entries.tsx";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import { type BusyTime, type HeldNight, useBusyTimes, useLongDrives } from "../../../lib/api/artist-calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../../lib/api/booking-lists.ts";
import { type Month, monthText } from "../../../lib/format/months.ts";
import type { CalendarDay } from "../../../ui/calendar/calendar.tsx";
import { openBlockNights } from "../block-nights.tsx";
import { BusyRow, BusySlip, describeBusy, isBusyOn } from "../busy-times.tsx";
import { CalendarButtons } from "../calendar-buttons.tsx";
import { labelOfNight } from "../night-status.ts";
import { LongDrive } from "../travel-warnings.tsx";
import { useNightSelection } from "./night-selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import selection from "./selection.module.css";

type Props = Readonly<{
  month: Month;
  /** In the artist's time zone. */
  today: string;
  action(booking: ArtistBooking): ReactNode;
  children?: ReactNode;
}>;

export function BookingsCalendar({ month, today, action, children }: Props) {
  const address = useListAddress();
  const navigate = useNavigate();
  const query = useArtistMonth(monthText(month));
  const first = [`${monthText(month)}-01`, today].toSorted()[1] ?? today;
  const times = useBusyTimes(month);
  const { busy = [] } = times.data ?? {};
  const holds = (times.data?.holds ?? []).map((held) => toHold(held, address({ night: held.night })));
  const longDrives = useLongDrives();
  // Filters by month, because the previous month's rows remain while the next month loads.
  const bookings = (query.data?.items ?? [])
    .filter((one) => one.event_date.startsWith(monthText(month)))
    .map((booking) => ({ booking, entry: toEntry(booking, longDrives.has(booking.id)) }));
  const openNight = (night: string) => {
    const hasEntries =
      bookings.some(({ entry }) => entry.event_date === night) || holds.some((one) => one.night === night);
    if (hasEntries) void navigate(address({ night }), { preventScrollReset: true });
    return hasEntries;
  };
  const { chosen, clear, props } = useNightSelection(
    (nights, onDone) =>
      times.data && openBlockNights({ ...nights, today, nightEndsAt: times.data.night_ends_at, onDone }),
    openNight,
  );
  return (
    <BookingsMonth
      month={month}
      today={today}
      queries={[query, times]}
      label="Shows, requests, holds and blocked nights"
      dayOf={(date) => ({
        ...dayWith({
          entries: dayOfEntries(
            bookings.filter(({ entry }) => entry.event_date === date).map(({ entry }) => entry),
            holds.filter((one) => one.night === date),
          ),
          busy: busy.filter((one) => isBusyOn(one, date)),
          word: times.data ? labelOfNight(times.data, date, closedLabel) : "",
        }),
        chosen: chosen !== undefined && chosen.from <= date && date <= chosen.to,
      })}
      kinds={[
        ...bookings.map(({ entry }) => kindOf(entry)),
        ...(holds.length > 0 ? ["hold"] : []),
        ...busy.map(({ kind }) => kind),
      ]}
      rows={[
        ...bookings.map(({ booking, entry }) => ({
          id: entry.id,
          date: entry.event_date,
          row: <BookingRow booking={entry}>{action(booking)}</BookingRow>,
        })),
        ...holds.map((one) => ({ id: one.id, date: one.night, row: <HoldRow held={one} /> })),
        ...busy.map((one) => ({ id: one.id, date: one.night, row: <BusyRow busy={one} /> })),
      ]}
      selection={{ container: props, className: selection.month }}
      beside={
        <CalendarButtons
          toToday={address({ month: today.slice(0, 7) })}
          suggested={
            times.data && {
              nights: { ...(chosen ?? { from: first, to: first }), today, onDone: clear },
              data: times.data,
            }
          }
        />
      }
      below={
        <>
          <p className={`small quiet ${selection.hint}`}>
            Drag over nights to choose them, or press Shift and the arrow keys. B blocks the chosen nights.
          </p>
          {times.data ? <SelectionBar nights={chosen} today={today} data={times.data} onClear={clear} /> : null}
        </>
      }
    >
      {children}
    </BookingsMonth>
  );
}

const closedLabel = "Closed";

const toEntry = (booking: ArtistBooking, isLongDrive: boolean): CalendarBooking => ({
  ...booking,
  name: booking.promoter_name,
  to: paths.artistArea.booking(booking.id),
  isHeld: booking.hold !== null,
  note: isLongDrive ? <LongDrive /> : null,
});

const toHold = ({ id, night, title, hold }: HeldNight, to: string): CalendarHold => ({
  id,
  night,
  rank: hold.rank,
  name: title,
  to,
  shortText: hold.challenged ? "must pay" : "on hold",
  text: hold.challenged ? "On hold, must pay now" : "On hold",
});

type DayEntries = Readonly<{
  entries: ReturnType<typeof dayOfEntries>;
  busy: readonly BusyTime[];
  /** Set if the night differs: closed to requests, or open although its weekday is closed. */
  word: string;
}>;

function dayWith({ entries: { state, label, content }, busy, word }: DayEntries): CalendarDay {
  const isEmpty = label === "" && busy.length === 0;
  return {
    state: state ?? busy[0]?.kind ?? (word === closedLabel ? "closed" : undefined),
    label: [isEmpty ? noEntries : label, describeBusy(busy), word.toLowerCase()].filter(Boolean).join(", "),
    content: (!isEmpty || word !== "") && [
      word ? (
        <small key="word" className={selection.word} aria-hidden>
          {word}
        </small>
      ) : null,
      ...content,
      ...busy.map((one) => <BusySlip key={one.id} busy={one} />),
    ],
  };
}
