import { type ChangeEvent, useLayoutEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { lastPage } from "#platform/list.rules.ts";

export function usePage(): number {
  const [query] = useSearchParams();
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

type Changes = Readonly<Record<string, string>>;

function withChanges(query: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ page: "", ...changes })) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** Returns the list's address with some values changed. Empty values are removed, and the page too unless it is given. */
export function useListAddress(): (changes: Changes) => string {
  const [query] = useSearchParams();
  return (changes) => `?${withChanges(query, changes)}`;
}

/** Like `useListAddress`, but stays on the page of the list: for a dialog over it. */
export function useDialogAddress(): ReturnType<typeof useListAddress> {
  const address = useListAddress();
  const page = usePage();
  return (changes) => address({ page: page > 1 ? String(page) : "", ...changes });
}

let latest = new URLSearchParams();

/** Returns a function that sets a filter in the latest address and returns to the first page. An empty value removes it. */
export function useSetFilter(): (name: string, value: string) => void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  useLayoutEffect(() => {
    latest = query;
  }, [query]);
  return (name, value) => {
    latest = withChanges(latest, { [name]: value });
    void navigate(`?${latest}`, { replace: true, preventScrollReset: true });
  };
}

/** The props of a field for a day or a month. Sets the filter only when the value is typed to its end: after one figure, its year is 0002. */
export function useTypedFilter(name: string, value: string, isComplete: (value: string) => boolean) {
  const set = useSetFilter();
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (value !== followed) {
    setFollowed(value);
    setTyped(value);
  }
  return {
    value: typed,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setTyped(currentTarget.value);
      if (currentTarget.value === "" || isComplete(currentTarget.value)) set(name, currentTarget.value);
    },
  };
}

export const isMonth = (value: string): boolean => /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(value);

export function useMonth(): string {
  const [query] = useSearchParams();
  const value = query.get("month") ?? "";
  return isMonth(value) ? value : "";
}

export function useSort<Sort extends string>(sorts: readonly Sort[]): Sort | undefined {
  const [query] = useSearchParams();
  return sorts.find((one) => one === query.get("sort"));
}
