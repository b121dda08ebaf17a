import { type KeyboardEvent, useRef, useState } from "react";
import { Link } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import { formatDayAndMonth, formatDay, formatMonth, addDays, localToday } from "../../lib/format/dates.ts";
import { type Month, monthKey, monthOfText, shiftMonth, weekdayColumns, weeksOf } from "../../lib/format/months.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "../../paths.ts";
import { buttonClass } from "../../ui/button.tsx";
import shared from "../programme.module.css";
import styles from "./profile.module.css";

type Props = {
  artist: Pick<ArtistProfile, "slug" | "taken" | "base_rate" | "currency" | "minimum_notice" | "maximum_booking_days"> &
    Partial<Pick<ArtistProfile, "availability_note">>;
};
type DayState = "free" | "hold" | "booked" | "off";

/** The date that was chosen in the calendar, wherever on the page it is used. */
type Choice = { chosen: string | undefined; onChoose(date: string): void };

/** The artist's dates, month by month. A free one can be taken along to the booking form. */
export function Availability({ artist, ...choice }: Props & Choice) {
  // A page that is rendered for all visitors cannot use the reader's local date.
  const today = useHydrated() ? localToday() : undefined;
  return (
    <section id="availability" className={`sheet ${shared.pad} ${styles.panel}`}>
      <h2>Availability</h2>
      {today ? <Dates artist={artist} today={today} {...choice} /> : <div className={styles.waiting} />}
      {artist.availability_note ? <p className={`small ${styles.bio}`}>{artist.availability_note}</p> : null}
    </section>
  );
}

function Dates({ artist, today, chosen, onChoose }: Props & Choice & { today: string }) {
  const first = addDays(today, artist.minimum_notice);
  const last = addDays(today, artist.maximum_booking_days);
  const taken = new Map(artist.taken.map(({ date, state }) => [date, state]));
  const stateOf = (date: string): DayState => taken.get(date) ?? (date < first || date > last ? "off" : "free");
  const free = chosen !== undefined && stateOf(chosen) === "free" ? chosen : undefined;
  // The first month in which something can be chosen.
  const [month, setMonth] = useState(() => monthOfText(nextFree(first, 1, stateOf, { first, last }) ?? first));
  const calendar = useRef<HTMLDivElement>(null);
  const goTo = (date: string) => {
    setMonth(monthOfText(date));
    // The button is there once its month is drawn.
    requestAnimationFrame(() => calendar.current?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus());
  };
  const move = (event: KeyboardEvent) => {
    const step = arrowSteps[event.key];
    const from = event.target instanceof HTMLElement ? event.target.dataset["date"] : undefined;
    if (!step || !from) return;
    event.preventDefault();
    const next = nextFree(addDays(from, step), step, stateOf, { first, last });
    if (next) goTo(next);
  };
  return (
    <>
      <div className={styles.calhead}>
        <button
          type="button"
          aria-label="Previous month"
          disabled={monthKey(month) <= monthKey(monthOfText(today))}
          onClick={() => setMonth(shiftMonth(month, -1))}
        >
          ‹
        </button>
        <h3 aria-live="polite">{formatMonth(month)}</h3>
        <button
          type="button"
          aria-label="Next month"
          disabled={monthKey(month) >= monthKey(monthOfText(last))}
          onClick={() => setMonth(shiftMonth(month, 1))}
        >
          ›
        </button>
      </div>
      <div ref={calendar}>
        <MonthTable month={month} stateOf={stateOf} chosen={free} onChoose={onChoose} onMove={move} />
      </div>
      <p className={styles.legend}>
        <span>
          <i />
          Free
        </span>
        <span>
          <i className={styles.hold} />
          On hold
        </span>
        <span>
          <i className={styles.booked} />
          Booked
        </span>
        <span>
          <i className={styles.off} />
          Too soon or too far
        </span>
      </p>
      <dl className={`${shared.lines} small ${styles.answer}`}>
        {free ? (
          <div>
            <dt>{formatDay(free)}</dt>
            <dd>
              <strong>Free</strong>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>Price</dt>
          <dd className="num">{priceFrom(artist)}</dd>
        </div>
        <div>
          <dt>Notice</dt>
          <dd>{artist.minimum_notice === 1 ? "at least 1 day" : `at least ${artist.minimum_notice} days`}</dd>
        </div>
      </dl>
      <Link className={`${buttonClass({ wide: true })} ${styles.besideBar}`} to={paths.book(artist.slug, free)}>
        Book Me Now
      </Link>
    </>
  );
}

/** How many days an arrow key goes, as in any calendar. */
const arrowSteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** The first free date from one on, in steps of days, within the dates that can be asked for. */
export function nextFree(
  from: string,
  step: number,
  stateOf: (date: string) => DayState,
  { first, last }: { first: string; last: string },
): string | undefined {
  for (let date = from; date >= first && date <= last; date = addDays(date, step))
    if (stateOf(date) === "free") return date;
  return undefined;
}

type MonthProps = {
  month: Month;
  stateOf(date: string): DayState;
  chosen: string | undefined;
  onChoose(date: string): void;
  onMove(event: KeyboardEvent): void;
};

function MonthTable({ month, stateOf, chosen, onChoose, onMove }: MonthProps) {
  const weeks = weeksOf(month);
  // One stop for the tab key: the chosen day of this month, else its first free one; arrows continue from there.
  const free = weeks.flat().filter((date) => date !== undefined && stateOf(date) === "free");
  const stop = chosen !== undefined && free.includes(chosen) ? chosen : free[0];
  return (
    <table className={styles.cal}>
      <caption className="sr">Availability in {formatMonth(month)}</caption>
      <thead>
        <tr>
          {weekdayColumns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, at) => (
          <tr key={at}>
            {week.map((date, column) => (
              <td key={date ?? column}>
                {date ? (
                  <DayCell
                    date={date}
                    state={stateOf(date)}
                    chosen={date === chosen}
                    stop={date === stop}
                    onChoose={onChoose}
                    onMove={onMove}
                  />
                ) : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const stateLabels = { hold: "On hold: ", booked: "Booked: ", off: "Cannot be booked: " } as const;

function DayCell({
  date,
  state,
  chosen,
  stop,
  onChoose,
  onMove,
}: {
  date: string;
  state: DayState;
  chosen: boolean;
  stop: boolean;
  onChoose(date: string): void;
  onMove(event: KeyboardEvent): void;
}) {
  const day = Number(date.slice(8));
  if (state !== "free") {
    return (
      <span className={styles[state]}>
        <i>
          <span className="sr">{stateLabels[state]}</span>
          {day}
        </i>
      </span>
    );
  }
  return (
    <button
      type="button"
      data-date={date}
      tabIndex={stop ? 0 : -1}
      aria-pressed={chosen}
      aria-label={`${formatDayAndMonth(date)}, ${chosen ? "chosen" : "free"}`}
      onClick={() => onChoose(date)}
      onKeyDown={onMove}
    >
      {day}
    </button>
  );
}
