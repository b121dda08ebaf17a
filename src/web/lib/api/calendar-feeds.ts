import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

export type CalendarFeed = Awaited<ReturnType<typeof browserApi.calendarFeeds.list>>["items"][number];
export const useCalendarFeeds = () => useQuery(orpc.calendarFeeds.list.queryOptions());

function useFeedsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.calendarFeeds.key() });
}

export const useRenewFeed = () =>
  useMutation(orpc.calendarFeeds.renew.mutationOptions({ onSuccess: useFeedsChanged() }));
export const useTurnOffFeed = () =>
  useMutation(orpc.calendarFeeds.turnOff.mutationOptions({ onSuccess: useFeedsChanged() }));
