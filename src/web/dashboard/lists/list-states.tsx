import type { ComponentProps, ReactNode } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { Button } from "../../ui/button.tsx";
import { LoadingStatus, Skeleton } from "../../ui/states/skeleton.tsx";
import { EmptyState, ErrorState } from "../../ui/states/states.tsx";
import type { FailedQuery } from "../section-failed.tsx";
import styles from "./list.module.css";

const rowCount = 10;
const columnWidths = [34, 30, 20, 16] as const;
const cardCount = 4;

export function ListLoading({ what }: Readonly<{ what: string }>) {
  return (
    <section aria-label="Loading">
      <LoadingStatus what={what} />
      <div className={`${styles.sheet} ${styles.swap}`} aria-hidden>
        <table className={styles.dense}>
          <thead>
            <tr>
              {columnWidths.map((width) => (
                <th key={width} style={{ width: `${width}%` }}>
                  <Skeleton height="0.7rem" width="4rem" />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rowCount }, (_, row) => (
              <tr key={row}>
                {columnWidths.map((width, column) => (
                  <td key={width}>
                    <Skeleton height="0.8rem" width={`${70 - 9 * ((row + column) % 4)}%`} />
                    {column < 2 ? <Skeleton height="0.65rem" width="45%" mt="0.4rem" /> : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.cards} aria-hidden>
        {Array.from({ length: cardCount }, (_, card) => (
          <li key={card} className={styles.bare}>
            <Skeleton height="1rem" width={`${70 - 9 * card}%`} />
            <Skeleton height="0.8rem" width="80%" />
            <Skeleton height="0.8rem" width="55%" />
            <div className={styles.end}>
              <Skeleton height="1.4rem" width="7rem" />
              <Skeleton height="1.4rem" width="4rem" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export type ListQuery = FailedQuery & Readonly<{ isFetching: boolean; isPlaceholderData: boolean }>;

type Props = Readonly<{
  query: ListQuery;
  what: string;
  count: number | undefined;
  empty: ComponentProps<typeof EmptyList>;
  foot: ReactNode;
  children: ReactNode;
}>;

/** Renders the rows, or the loading, failed or empty state. A failure never renders as an empty list. */
export function ListBody({ query, what, count, empty, foot, children }: Props) {
  if (query.error && !query.isFetching) return <ListFailed what={what} query={query} />;
  if (count === undefined) return <ListLoading what={what.toLowerCase()} />;
  const isEmpty = count === 0;
  return (
    <>
      {/* Present before its text, because screen readers may miss a region that arrives with it. */}
      <div aria-live="polite" className={isEmpty ? undefined : "sr"}>
        {isEmpty ? <EmptyList {...empty} /> : null}
      </div>
      {isEmpty ? null : (
        <div className={styles.body} aria-busy={query.isPlaceholderData || undefined}>
          {children}
          <div className={styles.more}>{foot}</div>
        </div>
      )}
    </>
  );
}

export type InfiniteListQuery = ListQuery &
  Readonly<{ hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }>;

export function LoadMore({ query, count }: Readonly<{ query: InfiniteListQuery; count: number }>) {
  const all = count === 1 ? "1 is shown." : `All ${count} are shown.`;
  const shown = query.hasNextPage ? `The first ${count} are shown.` : all;
  return (
    <>
      {/* That all are shown is for screen readers only: the totals already count them. */}
      <span role="status" className={query.hasNextPage || query.isPlaceholderData ? undefined : "sr"}>
        {query.isPlaceholderData ? "Searching..." : shown}
      </span>
      {query.hasNextPage ? (
        <Button
          tone="line"
          size="sm"
          busy={query.isFetchingNextPage}
          busyLabel="Loading..."
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
}

export const EmptyList = (props: Omit<ComponentProps<typeof EmptyState>, "heading">) => (
  <section className={styles.sheet}>
    <EmptyState heading="h2" {...props} />
  </section>
);

export function ListFailed({ what, query }: Readonly<{ what: string; query: FailedQuery }>) {
  const { message, code, reference } = apiErrorOf(query.error);
  return (
    <section className={styles.sheet}>
      <ErrorState
        heading="h2"
        title={`${what} could not be loaded`}
        text={code === "internal" ? "The error is ours. Your data is unchanged. Please try again." : message}
        reference={reference}
        onRetry={() => void query.refetch()}
      />
    </section>
  );
}
