import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useInvalidate } from "./query.ts";

export type CalendarFeed = Awaited<ReturnType<typeof browserApi.calendarFeeds.list>>["items"][number];
export type ExternalCalendars = Awaited<ReturnType<typeof browserApi.externalCalendars.list>>;
export type ExternalCalendar = ExternalCalendars["items"][number];

export const useCalendarFeeds = () => useQuery(orpc.calendarFeeds.list.queryOptions());
export const useExternalCalendars = () => useQuery(orpc.externalCalendars.list.queryOptions());

const useFeedsChanged = () => useInvalidate(orpc.calendarFeeds.key());

export const useRenewFeed = () => useMutation(orpc.calendarFeeds.renew.mutationOptions(useFeedsChanged()));
export const useTurnOffFeed = () => useMutation(orpc.calendarFeeds.turnOff.mutationOptions(useFeedsChanged()));

const useExternalChanged = () => useInvalidate(orpc.externalCalendars.key());

export const useAddCalendar = () => useMutation(orpc.externalCalendars.add.mutationOptions(useExternalChanged()));
export const useRefreshCalendar = () =>
  useMutation(orpc.externalCalendars.refresh.mutationOptions(useExternalChanged()));
export const useRemoveCalendar = () => useMutation(orpc.externalCalendars.remove.mutationOptions(useExternalChanged()));
