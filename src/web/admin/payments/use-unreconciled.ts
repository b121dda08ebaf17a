import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useReloadMoneyList } from "../../lib/api/query.ts";

export type UnreconciledItem = Awaited<ReturnType<typeof browserApi.bookings.unreconciled.list>>["items"][number];

const calls = orpc.bookings.unreconciled;

export const useUnreconciled = () => useQuery(calls.list.queryOptions());

export const useMatch = (id: string, number: string) =>
  useQuery(calls.match.queryOptions({ input: { id, number }, enabled: number !== "", retry: false }));

export const useApplyItem = () =>
  useMutation(calls.apply.mutationOptions({ onSettled: useReloadMoneyList(calls.key()) }));
export const useReturnItem = () =>
  useMutation(calls.sendBack.mutationOptions({ onSettled: useReloadMoneyList(calls.key()) }));
export const useExplainItem = () =>
  useMutation(calls.explain.mutationOptions({ onSettled: useReloadMoneyList(calls.key()) }));
