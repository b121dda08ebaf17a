import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { orpc } from "../../../lib/api/query.ts";

/** Reloads each minute, because the server retries failed components each minute. */
export const useComponents = () => useQuery({ ...orpc.components.list.queryOptions(), refetchInterval: 60_000 });

export function useTestComponent() {
  const queries = useQueryClient();
  const queryKey = orpc.components.list.queryKey();
  return useMutation(
    orpc.components.test.mutationOptions({
      onSuccess: ({ component }) =>
        queries.setQueryData(
          queryKey,
          (known) =>
            known && { ...known, items: known.items.map((item) => (item.name === component.name ? component : item)) },
        ),
    }),
  );
}
