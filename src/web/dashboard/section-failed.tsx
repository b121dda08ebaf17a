import type { ReactNode } from "react";
import { apiErrorOf } from "../lib/api-error.ts";
import { Button } from "../ui/button.tsx";
import { LoadingStatus, Skeleton } from "../ui/states/skeleton.tsx";
import overview from "./overview.module.css";
import styles from "./section-failed.module.css";

export type FailedQuery = Readonly<{ error: unknown; refetch(): unknown }>;
type FailedProps = Readonly<{ what: string; query: FailedQuery; className?: string | undefined }>;

export function SectionFailed({ what, query, className = "" }: FailedProps) {
  const { message, reference } = apiErrorOf(query.error);
  return (
    <div className={`note cherry ${styles.failed} ${className}`} role="alert">
      <p>
        {what} could not be loaded. {message}
        {reference && !message.includes(reference) ? ` Reference ${reference}.` : ""}
      </p>
      <Button tone="line" size="sm" onClick={() => void query.refetch()}>
        Retry
      </Button>
    </div>
  );
}

export type Query<T> = FailedQuery & Readonly<{ data: T | undefined; isFetching: boolean }>;

type Props<T> = Readonly<{
  query: Query<T>;
  what: string;
  loading?: ReactNode;
  Failed?: (props: FailedProps) => ReactNode;
  children(data: T): ReactNode;
}>;

const loadingText = (
  <p className="quiet" role="status">
    Loading
  </p>
);

export function Loaded<T>({ query, what, loading = loadingText, Failed = SectionFailed, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.error && !query.isFetching ? <Failed what={what} query={query} /> : loading;
}

export function SectionLoading({ title, lines }: Readonly<{ title: string; lines: number }>) {
  return (
    <section className={overview.section} aria-busy>
      <h2>{title}</h2>
      <LoadingStatus />
      <ul className={overview.lines} aria-hidden>
        {Array.from({ length: lines }, (_, at) => (
          <li key={at}>
            <Skeleton height="0.9rem" width={`${65 - 7 * (at % 3)}%`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
