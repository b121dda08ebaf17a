import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingsMonth, noEntries } from "../booking/calendar/bookings-month.tsx";
import type { CalendarBooking, CalendarHold } from "../booking/calendar/calendar-entries.tsx";
import { TodayLink } from "../booking/calendar/view-switch.tsx";
import { useListAddress } from "../dashboard/lists/address.ts";
import { type PromoterBooking, usePromoterMonth } from "../lib/api/booking-lists.ts";
import { type Hold, useOwnHolds } from "../lib/api/promoter/holds.ts";
import { formatDay, formatMoment, localToday } from "../lib/format/dates.ts";
import { type Month, monthText } from "../lib/format/months.ts";
import { LinkButton } from "../ui/button.tsx";
import { deadlineOf, mustPayNow } from "./holds/hold-text.ts";
import styles from "./bookings-calendar.module.css";

type Props = Readonly<{ month: Month; action(booking: PromoterBooking): ReactNode }>;

/** A promoter's month of bookings and open holds. Each free night from today on links to the search for that night. */
export function BookingsCalendar({ month, action }: Props) {
  const today = localToday();
  const address = useListAddress();
  const query = usePromoterMonth(monthText(month));
  const held = useOwnHolds();
  const isShown = (night: string) => night.startsWith(monthText(month));
  const bookings = (query.data?.items ?? [])
    .filter(({ event_date }) => isShown(event_date))
    .map((booking) => toEntry(booking, action(booking)));
  const holds = (held.data?.items ?? []).flatMap(toHolds).filter(({ night }) => isShown(night));
  return (
    <BookingsMonth
      month={month}
      today={today}
      queries={[query, held]}
      label="Shows, requests and holds"
      bookings={bookings}
      holds={holds}
      dayOf={(date, day) => {
        const isFree = day.state === undefined && date >= today;
        return {
          ...day,
          label: day.label || noEntries,
          content: (day.label !== "" || isFree) && [
            ...day.content,
            isFree ? <FindArtists key="find" night={date} /> : null,
          ],
        };
      }}
      beside={
        <>
          <TodayLink to={address({ month: today.slice(0, 7) })} />
          <LinkButton tone="line" size="sm" to={paths.promoterArea.holds}>
            View holds
          </LinkButton>
          <LinkButton tone="line" size="sm" to={paths.promoterArea.settings("calendar")}>
            Subscribe
          </LinkButton>
        </>
      }
      below={<p className={`small quiet ${styles.hint}`}>Choose a free night to find artists for it.</p>}
    />
  );
}

const FindArtists = ({ night }: Readonly<{ night: string }>) => (
  <Link
    className={styles.find}
    to={paths.browse({ night })}
    aria-label={`Find artists for this night, ${formatDay(night)}`}
    tabIndex={-1}
  >
    <span aria-hidden>Find artists</span>
  </Link>
);

const toEntry = (booking: PromoterBooking, action: ReactNode): CalendarBooking => ({
  ...booking,
  name: booking.artist.name,
  to: paths.promoterArea.booking(booking.id),
  isHeld: booking.act_due?.kind === "hold_ends",
  action,
});

/** Returns the open nights of a hold. Excludes a night that the promoter is booking, because its booking is shown. */
const toHolds = ({ id, artist, nights }: Hold): CalendarHold[] =>
  nights
    .filter(({ state, being_booked }) => state === "active" && !being_booked)
    .map((one) => {
      const text = `${mustPayNow(one) ? "pay by" : "until"} ${formatMoment(deadlineOf(one))}`;
      return {
        id: `${id} ${one.night}`,
        night: one.night,
        rank: one.rank ?? 1,
        name: artist.name,
        to: paths.promoterArea.hold(id),
        shortText: text,
        text: `On hold, ${text}`,
      };
    });
