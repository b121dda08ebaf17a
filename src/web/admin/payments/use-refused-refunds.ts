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

export function useRetryRefund() {
  const onSettled = useSettled();
  return useMutation(calls.retry.mutationOptions({ onSettled }));
}
export function useRecordRefundPaidOutside() {
  const onSettled = useSettled();
  return useMutation(calls.settle.mutationOptions({ onSettled }));
}
