import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { orpc } from "./query.ts";

export const useSearch = (text: string) =>
  useQuery(
    orpc.reports.search.find.queryOptions({
      input: { q: text },
      enabled: text.length >= 2,
      placeholderData: text.length >= 2 ? keepPreviousData : undefined,
      retry: false,
    }),
  );
