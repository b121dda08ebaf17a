import { type Month, weekdayColumns, weeksOf } from "../../lib/format/months.ts";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import styles from "./calendar.module.css";

export const CalendarLoading = () => (
  <>
    <LoadingStatus what="the calendar" />
    <Skeleton height="44rem" aria-hidden />
  </>
);

export const MonthLoading = ({ month }: Readonly<{ month: Month }>) => (
  <>
    <LoadingStatus what="the calendar" />
    <table className={styles.month} aria-hidden>
      <thead>
        <tr>
          {weekdayColumns.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((days, row) => (
          <tr key={row}>
            {days.map((date, column) => (
              <td key={column}>{date ? <span>{Number(date.slice(8))}</span> : null}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </>
);
