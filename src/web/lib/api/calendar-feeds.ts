import { useQuery } from "@tanstack/react-query";
import { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type CalendarFeed = Awaited<ReturnType<typeof browserApi.calendarFeeds.list>>["items"][number];
export type ExternalCalendars = Awaited<ReturnType<typeof browserApi.externalCalendars.list>>;
export type ExternalCalendar = ExternalCalendars["items"][number];

export const useCalendarFeeds = () => useQuery(orpc.calendarFeeds.list.queryOptions());
export const useExternalCalendars = () => useQuery(orpc.externalCalendars.list.queryOptions());

export const readFeed = (kind: CalendarFeed["kind"]) => browserApi.calendarFeeds.read({ kind });
export const useRenewFeed = () => useCommand(orpc.calendarFeeds.renew, orpc.calendarFeeds.key());
export const useTurnOffFeed = () => useCommand(orpc.calendarFeeds.turnOff, orpc.calendarFeeds.key());

export const useAddCalendar = () => useCommand(orpc.externalCalendars.add, orpc.externalCalendars.key());
export const useRefreshCalendar = () => useCommand(orpc.externalCalendars.refresh, orpc.externalCalendars.key());
export const useRemoveCalendar = () => useCommand(orpc.externalCalendars.remove, orpc.externalCalendars.key());
