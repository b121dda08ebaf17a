import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useReloadMoneyList } from "../../lib/api/query.ts";

export type RefusedRefund = Awaited<ReturnType<typeof browserApi.refusedRefunds.list>>["items"][number];

const calls = orpc.refusedRefunds;

export const useRefusedRefunds = () => useQuery(calls.list.queryOptions());

export const useRetryRefund = () =>
  useMutation(calls.retry.mutationOptions({ onSettled: useReloadMoneyList(calls.key()) }));
export const useRecordRefundPaidOutside = () =>
  useMutation(calls.settle.mutationOptions({ onSettled: useReloadMoneyList(calls.key()) }));
