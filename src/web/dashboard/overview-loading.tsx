import { Skeleton } from "../ui/states/skeleton.tsx";
import { MetricCards } from "./metric-cards.tsx";
import styles from "./overview.module.css";

export const OverviewLoading = ({
  labels,
  isArtist = false,
}: Readonly<{ labels: readonly string[]; isArtist?: boolean }>) => (
  <>
    {isArtist ? <Skeleton height="10.25rem" mb="1.25rem" aria-hidden /> : null}
    <MetricCards labels={labels} figures={undefined} isTall={!isArtist} />
    <div className={styles.sections} aria-hidden>
      <Skeleton height="26rem" />
      {isArtist ? null : <Skeleton height="26rem" />}
    </div>
  </>
);
