import { useSearchParams } from "react-router";
import { lastPage } from "#platform/list.rules.ts";

export function usePage(): number {
  const [query] = useSearchParams();
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

/** Returns the list's address with some values changed. Empty values are removed, and the page too unless it is given. */
export function useListAddress(): (changes: Readonly<Record<string, string>>) => string {
  const [query] = useSearchParams();
  return (changes) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries({ page: "", ...changes })) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    const text = next.toString();
    return text ? `?${text}` : "?";
  };
}

export function useSort<Sort extends string>(sorts: readonly Sort[]): Sort | undefined {
  const [query] = useSearchParams();
  return sorts.find((one) => one === query.get("sort"));
}
