import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { orpc, useCommand } from "../../lib/api/query.ts";

export type CalendarConnection = Awaited<ReturnType<typeof browserApi.calendarConnections.list>>["items"][number];

const pollMs = 2_000;

/** Polls while a result is pending, because another process may write it. */
export const useCalendarConnections = () =>
  useQuery({
    ...orpc.calendarConnections.list.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.items.some(({ is_waiting }) => is_waiting) ? pollMs : false),
  });

export const useAddConnection = () => useCommand(orpc.calendarConnections.add, orpc.calendarConnections.key());
export const useRetryConnection = () => useCommand(orpc.calendarConnections.retry, orpc.calendarConnections.key());
export const useRemoveConnection = () => useCommand(orpc.calendarConnections.remove, orpc.calendarConnections.key());

/** Returns a function that waits until a connection was tested. It resolves to undefined if `closed` aborts or the connection is gone. */
export function useConnectionOutcome() {
  const queries = useQueryClient();
  return async (id: string, closed: AbortSignal): Promise<CalendarConnection | undefined> => {
    while (!closed.aborted) {
      const { items } = await queries.fetchQuery({ ...orpc.calendarConnections.list.queryOptions(), staleTime: 0 });
      const connection = items.find((one) => one.id === id);
      if (!connection?.is_waiting) return closed.aborted ? undefined : connection;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return undefined;
  };
}
