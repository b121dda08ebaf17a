import { Skeleton } from "../ui/skeleton.tsx";
import { MetricCards } from "./metric-cards.tsx";
import styles from "./overview.module.css";

export const OverviewLoading = ({
  labels,
  hasNext = false,
}: Readonly<{ labels: readonly string[]; hasNext?: boolean }>) => (
  <>
    {hasNext ? <Skeleton height="10.25rem" mb="1.25rem" aria-hidden /> : null}
    <MetricCards labels={labels} figures={undefined} />
    <div className={styles.sections} aria-hidden>
      <Skeleton height="26rem" />
      <Skeleton height="26rem" />
    </div>
  </>
);
