import { useState } from "react";
import { addDays, dayIn, describeDay } from "../lib/format/dates.ts";
import { currentTime } from "../lib/clock.ts";
import styles from "../dashboard/settings/settings.module.css";

type Props = Readonly<{ notice: number; advance: number; timeZone: string }>;

/** Lists the open days. `notice` and `advance` are days from today. They may not be numbers during input. */
export function BookableDays({ notice, advance, timeZone }: Props) {
  const [now] = useState(currentTime);
  if (!Number.isInteger(notice) || !Number.isInteger(advance) || notice < 0 || advance > 730)
    return <p className="small quiet">Enter whole numbers to see the open days here.</p>;
  if (notice > advance)
    return (
      <p className="small" role="status">
        <strong>No day is left:</strong> the minimum notice is longer than the maximum advance, so no date can be
        requested.
      </p>
    );
  const today = dayIn(timeZone, now);
  const [first, last] = [addDays(today, notice), addDays(today, advance)];
  return (
    <div>
      <div className={styles.bar} aria-hidden>
        <i className={styles.hatched} style={{ flex: notice }} />
        <i style={{ flex: Math.max(advance - notice, 1), background: "var(--ch-3)" }} />
        <i className={styles.hatched} style={{ flex: 56 }} />
      </div>
      <p className="small" role="status">
        Today that is{" "}
        <strong>
          {describeDay(first)} to {describeDay(last)}
        </strong>
        .
      </p>
    </div>
  );
}
