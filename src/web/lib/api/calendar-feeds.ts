import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

export type CalendarFeed = Awaited<ReturnType<typeof browserApi.calendarFeeds.list>>["items"][number];
export type ExternalCalendars = Awaited<ReturnType<typeof browserApi.externalCalendars.list>>;
export type ExternalCalendar = ExternalCalendars["items"][number];

export const useCalendarFeeds = () => useQuery(orpc.calendarFeeds.list.queryOptions());
export const useExternalCalendars = () => useQuery(orpc.externalCalendars.list.queryOptions());

function useFeedsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.calendarFeeds.key() });
}

export const useRenewFeed = () =>
  useMutation(orpc.calendarFeeds.renew.mutationOptions({ onSuccess: useFeedsChanged() }));
export const useTurnOffFeed = () =>
  useMutation(orpc.calendarFeeds.turnOff.mutationOptions({ onSuccess: useFeedsChanged() }));

function useExternalChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.externalCalendars.key() });
}

export const useAddCalendar = () =>
  useMutation(orpc.externalCalendars.add.mutationOptions({ onSuccess: useExternalChanged() }));
export const useRefreshCalendar = () =>
  useMutation(orpc.externalCalendars.refresh.mutationOptions({ onSuccess: useExternalChanged() }));
export const useRemoveCalendar = () =>
  useMutation(orpc.externalCalendars.remove.mutationOptions({ onSuccess: useExternalChanged() }));
