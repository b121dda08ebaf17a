import { Skeleton } from "../ui/skeleton.tsx";
import type { CSSProperties } from "react";
import { Link } from "react-router";
import styles from "./overview.module.css";

export type Metric = Readonly<{
  label: string;
  value: string;
  more: string;
  to?: string;
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
            <dd className={styles.more} />
          </div>
        ))}
      </dl>
    );
  }
  return (
    <dl className={styles.kpis} data-figures={labels.length}>
      {figures.map(({ label, value, more, to }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={styles.value} style={{ "--length": longestPart(value) } as CSSProperties}>
            {to ? (
              <Link className={styles.figure} to={to}>
                {value}
              </Link>
            ) : (
              value
            )}
          </dd>
          <dd className={styles.more}>{more}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the length of the longest amount in "$1,500 + €200". It determines the font size, so no amount wraps. */
const longestPart = (value: string): number => Math.max(...value.split(" ").map((part) => part.length));
