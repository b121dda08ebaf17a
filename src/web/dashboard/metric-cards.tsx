import type { CSSProperties } from "react";
import { Link } from "react-router";
import { Skeleton } from "../ui/states/skeleton.tsx";
import styles from "./overview.module.css";

export type Metric = Readonly<{ value: string; more: string; to?: string }>;

type Props = Readonly<{
  labels: readonly string[];
  /** In the order of the labels. Undefined while they load. */
  figures: readonly Metric[] | undefined;
  /** Reserves two lines below each figure in narrow columns, three below the second. */
  isTall?: boolean;
}>;

export const MetricCards = ({ labels, figures, isTall }: Props) => (
  <dl
    className={styles.kpis}
    data-figures={labels.length}
    data-tall={isTall || undefined}
    aria-busy={!figures || undefined}
  >
    {labels.map((label, at) => (
      <div key={label}>
        <dt>{label}</dt>
        <Figure metric={figures?.[at]} />
      </div>
    ))}
  </dl>
);

function Figure({ metric }: Readonly<{ metric: Metric | undefined }>) {
  if (!metric)
    return (
      <>
        <dd>
          <Skeleton height="2.4rem" width="5rem" />
          <span className="sr">Loading</span>
        </dd>
        <dd className={styles.more} />
      </>
    );
  const { value, more, to } = metric;
  return (
    <>
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
    </>
  );
}

/** The longest amount of "$1,500 + €200" determines the font size, so no amount wraps. */
const longestPart = (value: string): number => Math.max(...value.split(" ").map((part) => part.length));

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
