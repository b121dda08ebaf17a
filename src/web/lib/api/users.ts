import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

export type UserListItem = Awaited<ReturnType<typeof browserApi.users.people.list>>["items"][number];

export type AdminRequest = Awaited<ReturnType<typeof browserApi.users.people.adminRequests>>["items"][number];

export const useUsers = (input: Parameters<typeof browserApi.users.people.list>[0]) =>
  useQuery(orpc.users.people.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminRequests = () => useQuery(orpc.users.people.adminRequests.queryOptions());

function useUsersChanged() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: orpc.users.people.key() }),
      queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
    ]);
}

export const useChangeRole = () =>
  useMutation(orpc.users.people.changeRole.mutationOptions({ onSuccess: useUsersChanged() }));

export const useDecideAdminRequest = () =>
  useMutation(orpc.users.people.decideAdminRequest.mutationOptions({ onSuccess: useUsersChanged() }));

export const useSuspend = () =>
  useMutation(orpc.users.people.suspend.mutationOptions({ onSuccess: useUsersChanged() }));

export const useRestore = () =>
  useMutation(orpc.users.people.restore.mutationOptions({ onSuccess: useUsersChanged() }));

export const useEndUserSessions = () =>
  useMutation(orpc.users.people.endSessions.mutationOptions({ onSuccess: useUsersChanged() }));

/** Removes the second factor of a person who has lost it. May ask for the admin's reauthentication. */
export const useResetSecondFactor = () =>
  useMutation(orpc.users.people.resetSecondFactor.mutationOptions({ onSuccess: useUsersChanged() }));

export const useBecomeFirstAdmin = () =>
  useMutation(orpc.users.people.becomeFirstAdmin.mutationOptions({ onSuccess: useUsersChanged() }));
