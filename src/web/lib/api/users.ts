import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useInvalidate } from "./query.ts";

export type UserListItem = Awaited<ReturnType<typeof browserApi.users.people.list>>["items"][number];

export type AdminRequest = Awaited<ReturnType<typeof browserApi.users.people.adminRequests>>["items"][number];

export const useUsers = (input: Parameters<typeof browserApi.users.people.list>[0]) =>
  useQuery(orpc.users.people.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminRequests = () => useQuery(orpc.users.people.adminRequests.queryOptions());

const useUsersChanged = () => useInvalidate(orpc.users.people.key(), orpc.users.me.key());

export const useChangeRole = () => useMutation(orpc.users.people.changeRole.mutationOptions(useUsersChanged()));

export const useDecideAdminRequest = () =>
  useMutation(orpc.users.people.decideAdminRequest.mutationOptions(useUsersChanged()));

export const useSuspend = () => useMutation(orpc.users.people.suspend.mutationOptions(useUsersChanged()));

export const useRestore = () => useMutation(orpc.users.people.restore.mutationOptions(useUsersChanged()));

export const useEndUserSessions = () => useMutation(orpc.users.people.endSessions.mutationOptions(useUsersChanged()));

export const useResetSecondFactor = () =>
  useMutation(orpc.users.people.resetSecondFactor.mutationOptions(useUsersChanged()));

export const useBecomeFirstAdmin = () =>
  useMutation(orpc.users.people.becomeFirstAdmin.mutationOptions(useUsersChanged()));
