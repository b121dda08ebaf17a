import type { ComponentProps, ReactNode } from "react";
import { lastPage, rowsPerPage } from "#platform/list.rules.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useListAddress, usePage } from "./address.ts";
import { useListFilters } from "./list-filters.tsx";
import { EmptyList, ListBody, type ListQuery } from "./list-states.tsx";
import pages from "./pages.module.css";

type PagedQuery<R> = ListQuery &
  Readonly<{ data: Readonly<{ items: readonly R[]; total: number; capped: boolean }> | undefined }>;

type Props<R> = Pick<ComponentProps<typeof ListBody>, "what" | "empty"> &
  Readonly<{ query: PagedQuery<R>; children(rows: readonly R[]): ReactNode }>;

export function PagedBody<R>({ query, what, empty, children }: Props<R>) {
  const { items = [], total = 0, capped = false } = query.data ?? {};
  const { search } = useListFilters();
  const address = useListAddress();
  return (
    <ListBody
      query={query}
      what={what}
      count={query.data?.total}
      empty={{
        children: search ? (
          <LinkButton tone="line" to={address({ search: "" })}>
            Clear search
          </LinkButton>
        ) : null,
        ...empty,
      }}
      foot={<Pager searching={query.isPlaceholderData} shown={items.length} total={total} capped={capped} />}
    >
      {items.length === 0 ? (
        <EmptyList title="This page is empty" text="This list has changed. Here is the latest." />
      ) : (
        children(items)
      )}
    </ListBody>
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
  const hasPages = last > 1 || page > 1;
  return (
    <>
      <span role="status" className={hasPages || searching ? undefined : "sr"}>
        {searching ? "Searching..." : span}
      </span>
      {hasPages ? (
        <nav className={pages.pager} aria-label="Pages">
          <PageLink label="Previous" page={Math.min(page - 1, last)} exists={page > 1} />
          <PageLink label="Next" page={page + 1} exists={page < last} />
        </nav>
      ) : null}
    </>
  );
}

function PageLink({ label, page, exists }: Readonly<{ label: string; page: number; exists: boolean }>) {
  const address = useListAddress();
  if (!exists)
    return (
      <Button tone="line" size="sm" disabled>
        {label}
      </Button>
    );
  return (
    <LinkButton tone="line" size="sm" to={address({ page: page > 1 ? String(page) : "" })}>
      {label}
    </LinkButton>
  );
}
