import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type UserListItem = Awaited<ReturnType<typeof browserApi.users.people.list>>["items"][number];

export type AdminRequest = Awaited<ReturnType<typeof browserApi.users.people.adminRequests>>["items"][number];

export const useUsers = (input: Parameters<typeof browserApi.users.people.list>[0]) =>
  useQuery(orpc.users.people.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminRequests = () => useQuery(orpc.users.people.adminRequests.queryOptions());

const reloaded = () => [orpc.users.people.key(), orpc.users.me.key()];

export const useChangeRole = () => useCommand(orpc.users.people.changeRole, ...reloaded());

export const useDecideAdminRequest = () => useCommand(orpc.users.people.decideAdminRequest, ...reloaded());

export const useSuspend = () => useCommand(orpc.users.people.suspend, ...reloaded());

export const useRestore = () => useCommand(orpc.users.people.restore, ...reloaded());

export const useEndUserSessions = () => useCommand(orpc.users.people.endSessions, ...reloaded());

export const useResetSecondFactor = () => useCommand(orpc.users.people.resetSecondFactor, ...reloaded());

export const useBecomeFirstAdmin = () => useCommand(orpc.users.people.becomeFirstAdmin, ...reloaded());
