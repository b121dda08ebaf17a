import type { ReactNode } from "react";
import { Link } from "react-router";
import { capitalized } from "#platform/text.rules.ts";
import { type Query, SectionFailed } from "../dashboard/section-failed.tsx";
import { apiErrorOf } from "../lib/api-error.ts";
import { LinkButton } from "../ui/button.tsx";
import { LoadingStatus, Skeleton } from "../ui/states/skeleton.tsx";
import { EmptyState, ErrorState } from "../ui/states/states.tsx";
import styles from "./booking.module.css";

type LoadingProps = Readonly<{
  name: string;
  /** Skeleton heights: of the optional line below the title, and of the sections of both columns. */
  skeleton: Readonly<{ lead?: string; columns: readonly (readonly string[])[] }>;
}>;

export const bookingSkeleton: LoadingProps["skeleton"] = {
  lead: "0.9rem",
  columns: [
    ["16rem", "20rem"],
    ["18rem", "9rem"],
  ],
};

export const RecordLoading = ({ name, skeleton }: LoadingProps) => (
  <section aria-label="Loading" aria-busy>
    <h1 className="sr">{capitalized(name)}</h1>
    <LoadingStatus what={`the ${name}`} />
    <div aria-hidden>
      <Skeleton height="2.75rem" width="55%" mt="0.6rem" />
      {skeleton.lead ? <Skeleton height={skeleton.lead} width="40%" mt="0.9rem" /> : null}
      <Skeleton height="4rem" mt="1.5rem" />
      <div className={styles.columns}>
        {skeleton.columns.map((heights, column) => (
          <div key={column}>
            {heights.map((height) => (
              <Skeleton key={height} height={height} />
            ))}
          </div>
        ))}
      </div>
    </div>
  </section>
);

type Props<T> = LoadingProps &
  Readonly<{
    query: Query<T>;
    list: Readonly<{ label: string; to: string }>;
    missing: string;
    children(record: T): ReactNode;
  }>;

/** The page of one booking or contract. A foreign one renders as not found, like a missing one. */
export function RecordPage<T>({ query, name, list, missing, skeleton, children }: Props<T>) {
  const error = query.error && !query.isFetching ? apiErrorOf(query.error) : undefined;
  const retry = () => void query.refetch();
  const title = capitalized(name);
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={list.to}>{list.label}</Link>
      </p>
      {error && (error.status === 404 || error.status === 400) ? (
        <section className={`${styles.section} ${styles.alone}`}>
          <EmptyState heading="h1" title={`${title} not found`} text={missing}>
            <LinkButton to={list.to}>All {list.label.toLowerCase()}</LinkButton>
          </EmptyState>
        </section>
      ) : query.data !== undefined ? (
        <>
          {error ? <SectionFailed what={`Updates to this ${name}`} query={query} /> : null}
          {children(query.data)}
        </>
      ) : error ? (
        <section className={`${styles.section} ${styles.alone}`}>
          <ErrorState
            heading="h1"
            title={`The ${name} could not be loaded`}
            text={`${error.message} Nothing was changed.`}
            reference={error.reference}
            onRetry={retry}
          />
        </section>
      ) : (
        <RecordLoading name={name} skeleton={skeleton} />
      )}
    </>
  );
}
