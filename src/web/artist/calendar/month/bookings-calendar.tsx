import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingsMonth, type EntriesOfDay, noEntries } from "../../../booking/calendar/bookings-month.tsx";
import type { CalendarBooking, CalendarHold } from "../../../booking/calendar/calendar-entries.tsx";
import { useListAddress } from "../../../dashboard/lists/address.ts";
import { type BusyTime, type HeldNight, useBusyTimes, useLongDrives } from "../../../lib/api/artist/calendar.ts";
import { type ArtistBooking, useArtistMonth } from "../../../lib/api/booking-lists.ts";
import { type Month, monthText } from "../../../lib/format/months.ts";
import { Button } from "../../../ui/button.tsx";
import type { CalendarDay } from "../../../ui/calendar/calendar.tsx";
import { openBlockNights, countText, nightsText } from "../block-nights.tsx";
import { BusyRow, BusySlip, describeBusy, isBusyOn } from "../busy-times.tsx";
import { CalendarButtons, NightItems, type Nights } from "../night-items.tsx";
import { labelOfNight, type NightData } from "../night-status.ts";
import { LongDrive } from "../travel-warnings.tsx";
import { useNightSelection } from "./night-selection.ts";
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
  const holds = (times.data?.holds ?? [])
    .filter(({ night }) => night.startsWith(monthText(month)))
    .map((held) => toHold(held, address({ night: held.night })));
  const longDrives = useLongDrives();
  // Filters by month, because rows of the previous month remain while the next loads, and a hold of the night before is listed.
  const bookings = (query.data?.items ?? [])
    .filter((one) => one.event_date.startsWith(monthText(month)))
    .map((booking) => toEntry(booking, longDrives.has(booking.id), action(booking)));
  const openNight = (night: string) => {
    const hasEntries =
      bookings.some(({ event_date }) => event_date === night) || holds.some((one) => one.night === night);
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
      bookings={bookings}
      holds={holds}
      others={busy.map((one) => ({ id: one.id, date: one.night, kind: one.kind, row: <BusyRow busy={one} /> }))}
      dayOf={(date, entries) => ({
        ...dayWith({
          entries,
          busy: busy.filter((one) => isBusyOn(one, date)),
          word: times.data ? labelOfNight(times.data, date, closedLabel) : "",
        }),
        chosen: chosen !== undefined && chosen.from <= date && date <= chosen.to,
      })}
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

const toEntry = (booking: ArtistBooking, isLongDrive: boolean, action: ReactNode): CalendarBooking => ({
  ...booking,
  name: booking.promoter_name,
  to: paths.artistArea.booking(booking.id),
  isHeld: booking.hold !== null,
  note: isLongDrive ? <LongDrive /> : null,
  action,
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
  entries: EntriesOfDay;
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

type BarProps = Readonly<{
  nights: Nights | undefined;
  today: string;
  data: NightData;
  onClear(): void;
}>;

function SelectionBar({ nights, today, data, onClear }: BarProps) {
  return (
    <>
      <p className="sr" role="status">
        {nights
          ? `${countText(nights.from, nights.to)} selected: ${nightsText(nights.from, nights.to)}. B blocks, Escape ends.`
          : ""}
      </p>
      {nights ? (
        <section className={selection.bar} aria-label="Chosen nights">
          <strong>{nightsText(nights.from, nights.to)}</strong>
          <NightItems nights={nights} today={today} data={data} item={BarButton} onDone={onClear} />
          <button type="button" className={selection.clear} aria-label="Clear selection" onClick={onClear}>
            <X size={18} aria-hidden />
          </button>
        </section>
      ) : null}
    </>
  );
}

type BarButtonProps = Readonly<{ onClick(): void; children: ReactNode; leftSection?: ReactNode }>;
const BarButton = ({ onClick, children, leftSection }: BarButtonProps) => (
  <Button tone="line" size="sm" onClick={onClick}>
    {leftSection} {children}
  </Button>
);
