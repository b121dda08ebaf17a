import { useState } from "react";
import { useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { localToday } from "../../lib/format/dates.ts";
import { type Month, monthKey, monthOfText, shiftMonth } from "../../lib/format/months.ts";
import { Calendar } from "../calendar/calendar.tsx";
import { type DayLimits, type DayState, firstFree, firstFreeWeekend } from "./day-limits.ts";
import styles from "./day-calendar.module.css";

const stateLabels: Readonly<Record<DayState, string>> = {
  free: "free",
  hold: "on hold",
  booked: "booked",
  closed: "not played",
  off: "cannot be booked, too soon or too far ahead",
};

type Props = Readonly<{
  limitsOf(today: string): DayLimits;
  chosen: string | readonly string[] | undefined;
  /** Days on hold can be chosen too, to join their queue. */
  withHolds?: boolean;
  months?: 1 | 2;
  onChoose(date: string): void;
  heading?: "h2" | "h3";
}>;

/** Renders two months, or one on a narrow screen. Opens on the chosen day's month if the calendar has it, else on the first with a free weekend. */
export default function DayCalendar({
  limitsOf,
  chosen,
  withHolds = false,
  months = 2,
  onChoose,
  heading = "h2",
}: Props) {
  const limits = limitsOf(localToday());
  const { today } = limits;
  const count = useMediaQuery("(min-width: 60rem)") ? months : 1;
  const days = [chosen ?? []].flat();
  const isPastOpen = limits.first < today;
  const [firstMonth, lastMonth] = [monthOfText(isPastOpen ? limits.first : today), monthOfText(limits.last)];
  const last = days.findLast((day) => isBetween(monthOfText(day), firstMonth, lastMonth));
  const [month, setMonth] = useState(() =>
    monthOfText(
      last ??
        (isPastOpen ? [today, limits.last].toSorted()[0] : (firstFreeWeekend(limits) ?? firstFree(limits))) ??
        limits.first,
    ),
  );
  const [shown, setShown] = useState(last);
  if (last !== shown) {
    setShown(last);
    if (last && !isBetween(monthOfText(last), month, shiftMonth(month, count - 1))) setMonth(monthOfText(last));
  }
  return (
    <>
      <Calendar
        month={month}
        onMonth={setMonth}
        count={count}
        first={firstMonth}
        last={lastMonth}
        label={limits.hasStates ? "Availability" : "Days"}
        heading={heading}
        today={today}
        dayOf={(date) => {
          const state = limits.stateOf(date);
          const label = limits.hasStates ? stateLabels[state] : `can${state === "off" ? "not" : ""} be chosen`;
          const choosable = state === "free" || (withHolds && state === "hold");
          return {
            state: state === "closed" ? "off" : state,
            label,
            choosable,
            chosen: choosable && days.includes(date),
          };
        }}
        className={styles.days}
        onChoose={onChoose}
      />
      {limits.hasStates ? <Legend /> : null}
    </>
  );
}

const isBetween = (month: Month, first: Month, last: Month): boolean =>
  monthKey(month) >= monthKey(first) && monthKey(month) <= monthKey(last);

const Legend = () => (
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
    <span>Gray number: cannot be booked</span>
  </p>
);
