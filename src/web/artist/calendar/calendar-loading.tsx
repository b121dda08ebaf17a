import { Skeleton } from "@mantine/core";
import { type Month, weekdayColumns, weeksOf } from "../../lib/format/months.ts";
import styles from "./calendar.module.css";
import week from "./week/week.module.css";

const Loading = () => (
  <p className="sr" role="status">
    Loading the calendar
  </p>
);

/** The month without its entries, in the same size. */
export const MonthLoading = ({ month }: Readonly<{ month: Month }>) => (
  <>
    <Loading />
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

/** The height of a week with its usual hours, 14:00 to 02:00. */
export const WeekLoading = () => (
  <>
    <Loading />
    <Skeleton className={week.loading ?? ""} aria-hidden />
  </>
);
