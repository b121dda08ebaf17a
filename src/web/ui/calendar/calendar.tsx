/** The only calendar: each month is a WAI-ARIA grid with the caller's content. Without libraries, for public pages. */

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, type To } from "react-router";
import { describeDay, formatMonth } from "../../lib/format/dates.ts";
import { type Month, monthKey, monthOfText, shiftMonth, weekdayColumns, weeksOf } from "../../lib/format/months.ts";
import { dayAfterKey } from "./calendar-keys.ts";
import styles from "./calendar.module.css";

export type CalendarDay = Readonly<{
  /** Read after the date by screen readers: "free", "on hold". */
  label: string;
  /** The day's `data-state`, for the caller's style sheet. */
  state?: string | undefined;
  /** A choosable day is a button. Every other one is a cell that is also reachable by keyboard. */
  choosable?: boolean;
  chosen?: boolean;
  /** Below the day's number. Its links take `tabIndex={-1}`: Enter focuses them, Escape leaves them. */
  content?: ReactNode;
}>;

type Props = Readonly<{
  month: Month;
  onMonth(month: Month): void;
  label: string;
  today: string;
  dayOf(date: string): CalendarDay;
  className: string | undefined;
  first?: Month;
  last?: Month;
  onChoose?(date: string): void;
  addressOf?(month: Month): To;
  heading?: "h2" | "h3";
  beside?: ReactNode;
  instead?: ReactNode;
  count?: 1 | 2;
  multiple?: boolean;
}>;

/** Renders one month or two. One day is the tab stop. Arrows, Home, End, Page Up and Page Down move between days. */
export function Calendar({ month, onMonth, label, today, dayOf, className, first, last, ...more }: Props) {
  const { onChoose, addressOf, heading: Heading = "h3", beside, instead, count = 1, multiple } = more;
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const months = Array.from({ length: count }, (_, at) => shiftMonth(month, at));
  const lastShown = shiftMonth(month, count - 1);
  const shown = months.flatMap((one) => weeksOf(one).flat()).filter((date) => date !== undefined);
  const stop = stopOf(shown, active, today, dayOf);
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    const target = awaited.current && root.current?.querySelector<HTMLElement>(`[data-date="${awaited.current}"]`);
    if (!target) return;
    awaited.current = undefined;
    target.focus();
  });
  const isShown = (one: Month) =>
    (!first || monthKey(one) >= monthKey(first)) && (!last || monthKey(one) <= monthKey(last));

  const move = (event: KeyboardEvent<HTMLTableCellElement>, date: string) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const within = linksOf(event.currentTarget).length > 0 && moveWithin(event);
    const next = within ? undefined : dayAfterKey(date, event.key, event.shiftKey);
    if (!within && !next) return;
    event.preventDefault();
    if (!next || !isShown(monthOfText(next))) return;
    setActive(next);
    awaited.current = next;
    const wanted = monthOfText(next);
    if (monthKey(wanted) < monthKey(month)) onMonth(wanted);
    else if (monthKey(wanted) > monthKey(lastShown)) onMonth(shiftMonth(wanted, 1 - count));
  };
  const step = { month, onMonth, addressOf };
  const cell = { stop, today, dayOf, onChoose, multiple, onKeyDown: move, onActive: setActive };
  return (
    <div ref={root} className={styles.months} data-count={count}>
      {months.map((one, at) => (
        // Not keyed by its month: the next one retains the focused button and the announced heading.
        <div key={at}>
          <div className={styles.head}>
            {at === 0 ? <MonthStep {...step} by={-1} ends={!isShown(shiftMonth(month, -1))} /> : null}
            <Heading aria-live="polite">{formatMonth(one)}</Heading>
            {at === count - 1 ? <MonthStep {...step} by={1} ends={!isShown(shiftMonth(lastShown, 1))} /> : null}
            {beside}
          </div>
          {instead ?? (
            <table
              role="grid"
              aria-multiselectable={multiple}
              aria-label={`${label} in ${formatMonth(one)}`}
              className={className}
            >
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
                {weeksOf(one).map((week, row) => (
                  <tr key={row}>
                    {week.map((date, column) =>
                      date === undefined ? <td key={column} /> : <DayCell key={date} date={date} {...cell} />,
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      ))}
    </div>
  );
}

/** Returns a month's tab stop: the last focused day, else the chosen, the first possible, today, or the first. */
function stopOf(
  shown: readonly string[],
  active: string | undefined,
  today: string,
  dayOf: Props["dayOf"],
): string | undefined {
  if (active && shown.includes(active)) return active;
  return (
    shown.find((date) => dayOf(date).chosen) ??
    shown.find((date) => dayOf(date).choosable) ??
    (shown.includes(today) ? today : shown[0])
  );
}

const linksOf = (cell: HTMLElement): HTMLElement[] => [...cell.querySelectorAll<HTMLElement>("a")];

/** Handles keys in a day: Enter focuses its links or opens the only one, up and down move between them, Escape leaves. Returns true for a handled key. */
function moveWithin(event: KeyboardEvent<HTMLTableCellElement>): boolean {
  const cell = event.currentTarget;
  const links = linksOf(cell);
  const at = links.findIndex((link) => link === event.target);
  if (at < 0) {
    if (event.key !== "Enter") return false;
    if (links.length === 1) links[0]?.click();
    else links[0]?.focus();
    return true;
  }
  const next = { Escape: cell, ArrowUp: links[at - 1], ArrowDown: links[at + 1] }[event.key];
  next?.focus();
  return next !== undefined;
}

type CellProps = Pick<Props, "today" | "dayOf" | "onChoose" | "multiple"> &
  Readonly<{
    date: string;
    stop: string | undefined;
    onKeyDown(event: KeyboardEvent<HTMLTableCellElement>, date: string): void;
    onActive(date: string): void;
  }>;

function DayCell({ date, today, stop, dayOf, onChoose, multiple, onKeyDown, onActive }: CellProps) {
  const day = dayOf(date);
  const name = `${describeDay(date)}, ${day.label}${day.chosen ? ", chosen" : ""}`;
  const tabIndex = date === stop ? 0 : -1;
  const isButton = Boolean(onChoose && day.choosable);
  const number = Number(date.slice(8));
  return (
    <td
      role="gridcell"
      data-state={day.state}
      data-past={date < today || undefined}
      aria-current={date === today ? "date" : undefined}
      aria-selected={onChoose || multiple ? Boolean(day.chosen) : undefined}
      onKeyDown={(event) => onKeyDown(event, date)}
      onFocus={() => onActive(date)}
      {...(isButton
        ? {}
        : {
            tabIndex,
            "data-date": date,
            "aria-label": day.content ? undefined : name,
            "aria-disabled": onChoose ? true : undefined,
          })}
    >
      {isButton ? (
        <button type="button" tabIndex={tabIndex} data-date={date} aria-label={name} onClick={() => onChoose?.(date)}>
          {number}
        </button>
      ) : (
        <span>
          {/* An aria-label would replace the visible content, so the date is part of it. */}
          {day.content ? <span className="sr">{`${name}, `}</span> : null}
          <span aria-hidden={day.content ? true : undefined}>{number}</span>
        </span>
      )}
      {day.content}
    </td>
  );
}

type StepProps = Pick<Props, "month" | "onMonth" | "addressOf"> & Readonly<{ by: -1 | 1; ends: boolean }>;

function MonthStep({ month, onMonth, addressOf, by, ends }: StepProps) {
  const to = shiftMonth(month, by);
  const label = by < 0 ? "Previous month" : "Next month";
  if (addressOf) return <StepLink label={label} by={by} to={addressOf(to)} />;
  return (
    <button
      type="button"
      className={stepClass}
      aria-label={label}
      aria-disabled={ends || undefined}
      onClick={() => !ends && onMonth(to)}
    >
      <Chevron by={by} />
    </button>
  );
}

const stepClass = `btn line sm ${styles.step}`;

const Chevron = ({ by }: Pick<StepProps, "by">) => (
  <svg viewBox="0 0 20 20" aria-hidden>
    <path
      d={by < 0 ? "M12.5 4.5L7 10l5.5 5.5" : "M7.5 4.5L13 10l-5.5 5.5"}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    />
  </svg>
);

export const StepLink = ({ label, by, to }: Readonly<{ label: string; by: -1 | 1; to: To }>) => (
  <Link className={stepClass} to={to} aria-label={label} preventScrollReset>
    <Chevron by={by} />
  </Link>
);
