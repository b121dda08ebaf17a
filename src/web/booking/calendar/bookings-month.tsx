import type { ComponentProps, ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import { type Query } from "../../dashboard/section-failed.tsx";
import { addDays, formatDay, formatMonth } from "../../lib/format/dates.ts";
import { type Month, monthOfText, monthText } from "../../lib/format/months.ts";
import { Calendar, type CalendarDay } from "../../ui/calendar/calendar.tsx";
import {
  CalendarLegend,
  type CalendarHold,
  describeHolds,
  HoldSlips,
  BookingRow,
  BookingSlip,
  HoldRow,
  type CalendarBooking,
  describeBookings,
  kindOf,
} from "./calendar-entries.tsx";
import { MonthLoading } from "./calendar-loading.tsx";
import styles from "./calendar.module.css";
import kinds from "./kinds.module.css";

type MonthQuery = Query<unknown> & Readonly<{ isPlaceholderData?: boolean }>;

type Props = Readonly<{
  month: Month;
  today: string;
  queries: readonly MonthQuery[];
  label: string;
  bookings: readonly CalendarBooking[];
  holds: readonly CalendarHold[];
  others?: readonly (AgendaRow & Readonly<{ kind: string }>)[];
  /** Returns a day, from the state, label and links of its bookings and holds. */
  dayOf(date: string, entries: EntriesOfDay): CalendarDay;
  beside: ReactNode;
  below: ReactNode;
  /** The props of the calendar's container and table of a month whose nights can be selected. */
  selection?: Readonly<{ container: ComponentProps<"div">; className: string | undefined }>;
  children?: ReactNode;
}>;

/** Renders a month of shows and holds with a list below. Renders `children` together with it, to avoid a layout shift. They load in parallel. */
export function BookingsMonth({ month, today, queries, bookings, holds, others = [], ...props }: Props) {
  const { label, dayOf, beside, below, selection, children } = props;
  const address = useListAddress();
  const navigate = useNavigate();
  const isLoaded = queries.every(({ data }) => data !== undefined);
  const isPlaceholder = queries.some(({ isPlaceholderData }) => isPlaceholderData);
  const failing = queries.filter(({ error }) => error);
  const failure = queries.some(({ isFetching }) => isFetching) ? undefined : failing[0]?.error;
  const isShown = isLoaded && !failure;
  const addressOf = (one: Month) => address({ month: monthText(one) });
  return (
    <>
      <section className={styles.calendar} aria-label="Calendar" aria-busy={isPlaceholder || undefined}>
        <div {...selection?.container}>
          <Calendar
            month={month}
            onMonth={(one) => void navigate(addressOf(one), { preventScrollReset: true })}
            addressOf={addressOf}
            label={label}
            heading="h2"
            today={today}
            dayOf={(date) =>
              dayOf(
                date,
                dayOfEntries(
                  bookings.filter(({ event_date }) => event_date === date),
                  holds.filter(({ night }) => night === date),
                ),
              )
            }
            className={`${styles.month} ${selection?.className ?? ""} ${kinds.kinds}`}
            multiple={selection !== undefined}
            beside={beside}
            instead={
              failure ? (
                <ListFailed
                  what="The calendar"
                  query={{ error: failure, refetch: () => failing.forEach(({ refetch }) => void refetch()) }}
                />
              ) : isLoaded ? undefined : (
                <MonthLoading month={month} />
              )
            }
          />
        </div>
        {isShown ? (
          <>
            <CalendarLegend
              shown={[
                ...bookings.map(kindOf),
                ...(holds.length > 0 ? ["hold"] : []),
                ...others.map(({ kind }) => kind),
              ]}
            />
            {below}
            <Agenda
              month={month}
              rows={[
                ...bookings.map((one) => ({ id: one.id, date: one.event_date, row: <BookingRow booking={one} /> })),
                ...holds.map((one) => ({ id: one.id, date: one.night, row: <HoldRow held={one} /> })),
                ...others,
              ]}
              loading={isPlaceholder}
            />
          </>
        ) : null}
      </section>
      <div hidden={!isLoaded && !failure}>{children}</div>
    </>
  );
}

export type EntriesOfDay = ReturnType<typeof dayOfEntries>;

function dayOfEntries(bookings: readonly CalendarBooking[], holds: readonly CalendarHold[]) {
  const active = bookings.find(({ status }) => status !== "canceled");
  return {
    state: active ? kindOf(active) : holds[0] ? "hold" : undefined,
    label: [describeBookings(bookings), describeHolds(holds)].filter(Boolean).join(", "),
    content: [
      ...bookings.map((booking) => <BookingSlip key={booking.id} booking={booking} />),
      <HoldSlips key="holds" held={holds} />,
    ],
  };
}

export const noEntries = "no bookings";

export const monthOfAddress = (text: string | null, today: string): Month =>
  monthOfText(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text ?? "") ? `${text}-01` : today);

type Upcoming = Readonly<{
  query: Readonly<{ isPending: boolean }>;
  bookings: readonly Readonly<{ event_date: string }>[] | undefined;
}>;

/** Returns the month in the address, else that of the next show, else the current one until its last three days. Undefined while the next show is loading. */
export function useShownMonth({ query, bookings }: Upcoming, today: string): Month | undefined {
  const [address] = useSearchParams();
  const month = address.get("month");
  if (!month && query.isPending) return undefined;
  return monthOfAddress(month ?? bookings?.[0]?.event_date.slice(0, 7) ?? addDays(today, 3).slice(0, 7), today);
}

/** An entry of the list. One that began in an earlier month appears on the first day of this month. */
type AgendaRow = Readonly<{ id: string; date: string; row: ReactNode }>;

function Agenda({ month, rows, loading }: Readonly<{ month: Month; rows: readonly AgendaRow[]; loading: boolean }>) {
  const name = formatMonth(month).split(" ")[0];
  const first = `${monthText(month)}-01`;
  const shown = rows
    .map((one) => ({ ...one, date: one.date < first ? first : one.date }))
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return (
    <section className={styles.agenda} aria-labelledby="agenda">
      <h3 id="agenda">{name}, as a list</h3>
      {shown.length === 0 ? (
        <p className="quiet">{loading ? "Loading" : "No shows, requests or holds this month."}</p>
      ) : (
        <ul>
          {shown.map(({ id, date, row }) => (
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
