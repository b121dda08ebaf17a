/** The band of figures that an overview opens with. */
import { Skeleton } from "@mantine/core";
import styles from "./overview.module.css";

export type Metric = Readonly<{ label: string; value: string; more: string }>;

/** Draws the figures; skeletons take their places until they are loaded, never a zero. */
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
      {figures.map(({ label, value, more }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd className={styles.more}>{more}</dd>
        </div>
      ))}
    </dl>
  );
}
