import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc } from "../../lib/api/query.ts";

export type UnreconciledItem = Awaited<
  ReturnType<(typeof browserApi)["bookings"]["unreconciled"]["list"]>
>["items"][number];

const calls = orpc.bookings.unreconciled;

export const useUnreconciled = () => useQuery(calls.list.queryOptions());

export const useMatch = (id: string, number: string) =>
  useQuery(calls.match.queryOptions({ input: { id, number }, enabled: number !== "", retry: false }));

function useSettled() {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [calls.key(), orpc.activity.key(), orpc.reports.key()])
      void queries.invalidateQueries({ queryKey });
  };
}

export const useApplyItem = () => useMutation(calls.apply.mutationOptions({ onSettled: useSettled() }));
export const useReturnItem = () => useMutation(calls.sendBack.mutationOptions({ onSettled: useSettled() }));
export const useExplainItem = () => useMutation(calls.explain.mutationOptions({ onSettled: useSettled() }));
