import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc } from "../../lib/api/query.ts";

export type RefusedRefund = Awaited<ReturnType<(typeof browserApi)["refusedRefunds"]["list"]>>["items"][number];

const calls = orpc.refusedRefunds;

export const useRefusedRefunds = () => useQuery(calls.list.queryOptions());

function useSettled() {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [calls.key(), orpc.activity.key(), orpc.reports.key()])
      void queries.invalidateQueries({ queryKey });
  };
}

export const useRetryRefund = () => useMutation(calls.retry.mutationOptions({ onSettled: useSettled() }));
export const useRecordRefundPaidOutside = () => useMutation(calls.settle.mutationOptions({ onSettled: useSettled() }));
