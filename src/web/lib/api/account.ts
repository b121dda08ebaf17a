import { useMutation, useQuery } from "@tanstack/react-query";
import type { Reauthentication } from "../auth/reauthentication.ts";
import { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type ActiveSession = Awaited<ReturnType<typeof browserApi.users.account.sessions>>["items"][number];

export const useActiveSessions = () => useQuery(orpc.users.account.sessions.queryOptions());

export const useEndSession = () => useCommand(orpc.users.account.endSession, orpc.users.account.key());

export const useExport = () =>
  useMutation({
    mutationFn: async () => JSON.stringify(await browserApi.users.account.exportData({}), null, 2),
  });

export const useDeletionObstacle = () =>
  useQuery(orpc.users.account.deletionObstacle.queryOptions({ gcTime: 0, staleTime: 0 }));

/** Throws if reauthentication is required, or while a booking is open. */
export const useDeleteAccount = () => useMutation(orpc.users.account.deleteAccount.mutationOptions());

/** Reauthenticates this session by password or emailed code. It is valid for five minutes. */
export const reauthenticate = (given: Reauthentication): Promise<unknown> =>
  browserApi.users.account.reauthenticate(given);
