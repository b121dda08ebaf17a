/** What stands in place of a list while it loads, when there is nothing, and when it could not be read. */
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { apiErrorOf } from "../../lib/api/api-error.ts";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import styles from "./list.module.css";

const skeletonWidths = [
  [62, 52],
  [48, 38],
  [70, 60],
  [55, 45],
  [66, 56],
  [44, 34],
] as const;
const columnWidths = [34, 30, 20, 16] as const;

/** Skeleton rows in the shape of a list. */
export function ListLoading({ what }: Readonly<{ what: string }>) {
  return (
    <section className={styles.sheet} aria-label="Loading">
      <p className="sr" role="status">
        Loading {what}
      </p>
      <table aria-hidden>
        <tbody>
          {skeletonWidths.map(([first, second]) => (
            <tr key={first}>
              {[first, second, 60, 80].map((width, at) => (
                <td key={at} style={{ width: `${columnWidths[at]}%` }}>
                  <Skeleton height="0.8rem" width={`${width}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What a list needs of the query that fills it. */
export type ListQuery = Readonly<{
  isPending: boolean;
  error: Error | null;
  isFetching: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}>;

type Props = Readonly<{
  query: ListQuery;
  /** The plural in the list's own words: "Bookings". */
  what: string;
  /** How many rows are known; undefined until the first answer. */
  count: number | undefined;
  empty: Readonly<{ title: string; text?: string }>;
  children: ReactNode;
}>;

/** Shows the rows, or honestly why there are none. Never an empty list in place of a failure. */
export function ListBody({ query, what, count, empty, children }: Props) {
  if (count === undefined) {
    if (query.error) return <ListFailed what={what} error={query.error} onRetry={() => void query.refetch()} />;
    return <ListLoading what={what.toLowerCase()} />;
  }
  if (query.error && !query.isFetching)
    return <ListFailed what={what} error={query.error} onRetry={() => void query.refetch()} />;
  if (count === 0) {
    return (
      <section className={styles.sheet}>
        <EmptyState heading="h2" {...empty} />
      </section>
    );
  }
  return (
    <>
      {children}
      <div className={styles.more}>
        <span role="status">
          {query.hasNextPage
            ? `The first ${count} are shown.`
            : count === 1
              ? "That is the only one."
              : `All ${count} are shown.`}
        </span>
        {query.hasNextPage ? (
          <button
            className="btn line sm"
            type="button"
            aria-busy={query.isFetchingNextPage || undefined}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? "Loading..." : "Load more"}
          </button>
        ) : null}
      </div>
    </>
  );
}

type FailedProps = Readonly<{ what: string; error: unknown; onRetry(): void }>;

/** A list that could not be read: what happened, that nothing changed, Retry, and the reference of the log. */
export function ListFailed({ what, error, onRetry }: FailedProps) {
  const { message, reference } = apiErrorOf(error);
  return (
    <section className={styles.sheet}>
      <ErrorState
        heading="h2"
        title={`${what} could not be loaded`}
        text={`${message} Nothing was changed.`}
        reference={reference}
        onRetry={onRetry}
      />
    </section>
  );
}
