import { Skeleton } from "@mantine/core";
import { Link } from "react-router";
import styles from "./overview.module.css";

export type Metric = Readonly<{
  label: string;
  value: string;
  more: string;
  to?: string;
  /** One amount per day, oldest first; the words say the same, so that the drawing is for the eye only. */
  days?: readonly number[];
}>;

export function MetricCards({
  labels,
  figures,
}: Readonly<{ labels: readonly string[]; figures: readonly Metric[] | undefined }>) {
  if (!figures) {
    return (
      <dl className={styles.kpis} data-figures={labels.length} aria-busy>
        {labels.map((label) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Skeleton height="2.4rem" width="5rem" />
              <span className="sr">Loading</span>
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <dl className={styles.kpis} data-figures={labels.length}>
      {figures.map(({ label, value, more, to, days }, at) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {to ? (
              <Link className={styles.figure} to={to}>
                {value}
              </Link>
            ) : (
              value
            )}
          </dd>
          <dd className={styles.more}>{more}</dd>
          {days ? (
            <dd className={styles.chart} aria-hidden>
              <Sparkline days={days} colour={`var(--ch-${at + 1})`} />
            </dd>
          ) : null}
        </div>
      ))}
    </dl>
  );
}

const daysPerPoint = 3;

function Sparkline({ days, colour }: Readonly<{ days: readonly number[]; colour: string }>) {
  const points = Array.from({ length: Math.ceil(days.length / daysPerPoint) }, (_, at) =>
    days.slice(at * daysPerPoint, (at + 1) * daysPerPoint).reduce((sum, one) => sum + Math.max(0, one), 0),
  );
  const most = Math.max(1, ...points);
  const line = points.map((one, at) => `${(at * 100) / (points.length - 1)} ${28 - (24 * one) / most}`).join("L");
  return (
    <svg viewBox="0 0 100 30" preserveAspectRatio="none" focusable="false">
      <path d={`M0 30L${line}L100 30z`} fill={colour} fillOpacity={0.18} />
      <path d={`M${line}`} fill="none" stroke={colour} strokeWidth={2} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
