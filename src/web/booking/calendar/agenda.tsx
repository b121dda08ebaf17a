import type { ReactNode } from "react";
import { formatDay, formatMonth } from "../../lib/format/dates.ts";
import { type Month, monthText } from "../../lib/format/months.ts";
import styles from "./calendar.module.css";

/** An entry of the list. One that began in an earlier month appears on the first day of this month. */
export type AgendaRow = Readonly<{ id: string; date: string; row: ReactNode }>;

type Props = Readonly<{ month: Month; rows: readonly AgendaRow[]; loading: boolean }>;

export function Agenda({ month, rows, loading }: Props) {
  const name = formatMonth(month).split(" ")[0];
  const first = `${monthText(month)}-01`;
  const shown = rows
    .map((one) => ({ ...one, date: one.date < first ? first : one.date }))
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return (
    <section className={styles.agenda} aria-labelledby="agenda">
      <h3 id="agenda">{name}, as a list</h3>
      {shown.length === 0 ? (
        <p className="quiet">{loading ? "Loading" : "No shows, no requests and no holds in this month."}</p>
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
