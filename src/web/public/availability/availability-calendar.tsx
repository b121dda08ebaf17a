/** The dates of an artist in the calendar, for the profile and the booking form: free, on hold, booked, or out of reach. */
import { useState } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { addDays } from "../../lib/format/dates.ts";
import { monthOfText } from "../../lib/format/months.ts";
import { Calendar } from "../../ui/calendar/calendar.tsx";
import styles from "./availability-calendar.module.css";

export type ArtistDates = Pick<ArtistProfile, "taken" | "minimum_notice" | "maximum_booking_days">;
type DayState = "free" | "hold" | "booked" | "off";

const stateLabels: Readonly<Record<DayState, string>> = {
  free: "free",
  hold: "on hold",
  booked: "booked",
  off: "cannot be booked, too soon or too far ahead",
};

type Limits = Readonly<{ first: string; last: string; stateOf(date: string): DayState }>;

export function availabilityOf(artist: ArtistDates, today: string): Limits {
  const first = addDays(today, artist.minimum_notice);
  const last = addDays(today, artist.maximum_booking_days);
  const taken = new Map(artist.taken.map(({ date, state }) => [date, state]));
  const stateOf = (date: string) => taken.get(date) ?? (date < first || date > last ? "off" : "free");
  return { first, last, stateOf };
}

export function firstFree({ first, last, stateOf }: Limits): string | undefined {
  for (let date = first; date <= last; date = addDays(date, 1)) if (stateOf(date) === "free") return date;
  return undefined;
}

type Props = Readonly<{
  artist: ArtistDates;
  today: string;
  chosen: string | undefined;
  onChoose(date: string): void;
  takesFocus?: boolean;
  heading?: "h2" | "h3";
}>;

/** Opens on the month of the chosen date when it is free, else on the first month that has a free day. */
export function AvailabilityCalendar({ artist, today, chosen, onChoose, takesFocus, heading = "h3" }: Props) {
  const limits = availabilityOf(artist, today);
  const free = chosen && limits.stateOf(chosen) === "free" ? chosen : undefined;
  const [month, setMonth] = useState(() => monthOfText(free ?? firstFree(limits) ?? limits.first));
  return (
    <>
      <Calendar
        month={month}
        onMonth={setMonth}
        first={monthOfText(today)}
        last={monthOfText(limits.last)}
        label="Availability"
        heading={heading}
        today={today}
        dayOf={(date) => {
          const state = limits.stateOf(date);
          return { state, label: stateLabels[state], choosable: state === "free", chosen: date === free };
        }}
        className={styles.days}
        onChoose={onChoose}
        takesFocus={takesFocus ?? false}
      />
      <p className={styles.legend}>
        <span>
          <i data-state="free" />
          Free
        </span>
        <span>
          <i data-state="hold" />
          On hold
        </span>
        <span>
          <i data-state="booked" />
          Booked
        </span>
        <span>
          <i data-state="off" />
          Too soon or too far
        </span>
      </p>
    </>
  );
}
