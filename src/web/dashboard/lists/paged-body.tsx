import type { ReactNode } from "react";
import { Link } from "react-router";
import { lastPage, rowsPerPage } from "#platform/list.rules.ts";
import { EmptyState } from "../../ui/states.tsx";
import { useListAddress, usePage } from "./address.ts";
import { ListFailed, ListLoading } from "./list-states.tsx";
import styles from "./list.module.css";
import pages from "./pages.module.css";

export type PagedQuery<R> = Readonly<{
  data: Readonly<{ items: readonly R[]; total: number; capped: boolean }> | undefined;
  error: Error | null;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch(): unknown;
}>;

type Props<R> = Readonly<{
  query: PagedQuery<R>;
  what: string;
  empty: Readonly<{ title: string; text?: string; children?: ReactNode }>;
  children(rows: readonly R[]): ReactNode;
}>;

export function PagedBody<R>({ query, what, empty, children }: Props<R>) {
  const { data } = query;
  if (query.error && !query.isFetching) return <ListFailed what={what} query={query} />;
  if (!data) return <ListLoading what={what.toLowerCase()} />;
  if (data.total === 0) {
    return (
      <section className={styles.sheet}>
        <EmptyState heading="h2" {...empty} />
      </section>
    );
  }
  return (
    <div className={styles.body} aria-busy={query.isPlaceholderData || undefined}>
      {data.items.length === 0 ? (
        <section className={styles.sheet}>
          <EmptyState heading="h2" title="This page is empty" text="This list has changed. Here is the latest." />
        </section>
      ) : (
        children(data.items)
      )}
      <Pager searching={query.isPlaceholderData} shown={data.items.length} total={data.total} capped={data.capped} />
    </div>
  );
}

type PagerProps = Readonly<{ searching: boolean; shown: number; total: number; capped: boolean }>;

function Pager({ searching, shown, total, capped }: PagerProps) {
  const page = usePage();
  const first = (page - 1) * rowsPerPage + 1;
  const count = total.toLocaleString("en-US");
  const of = capped ? `more than ${count}` : count;
  const span =
    shown === 0
      ? `None of ${of}`
      : `${first.toLocaleString("en-US")} to ${(first + shown - 1).toLocaleString("en-US")} of ${of}`;
  const last = Math.min(lastPage, Math.max(1, Math.ceil(total / rowsPerPage)));
  return (
    <div className={styles.more}>
      <span role="status">{searching ? "Searching..." : span}</span>
      {last > 1 || page > 1 ? (
        <nav className={pages.pager} aria-label="Pages">
          <PageLink label="Previous" page={Math.min(page - 1, last)} exists={page > 1} />
          <PageLink label="Next" page={page + 1} exists={page < last} />
        </nav>
      ) : null}
    </div>
  );
}

function PageLink({ label, page, exists }: Readonly<{ label: string; page: number; exists: boolean }>) {
  const address = useListAddress();
  if (!exists)
    return (
      <button className="btn line sm" type="button" disabled>
        {label}
      </button>
    );
  return (
    <Link className="btn line sm" to={address({ page: page > 1 ? String(page) : "" })}>
      {label}
    </Link>
  );
}
