import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

export type UserListItem = Awaited<ReturnType<typeof browserApi.users.directory.list>>["items"][number];

export type AdminRequest = Awaited<ReturnType<typeof browserApi.users.directory.adminRequests>>["items"][number];

export const useUsers = (input: Parameters<typeof browserApi.users.directory.list>[0]) =>
  useQuery(orpc.users.directory.list.queryOptions({ input, placeholderData: keepPreviousData }));

export const useAdminRequests = () => useQuery(orpc.users.directory.adminRequests.queryOptions());

const reloaded = () => [orpc.users.directory.key(), orpc.users.me.key()];

export const useChangeRole = () => useCommand(orpc.users.directory.changeRole, ...reloaded());

export const useDecideAdminRequest = () => useCommand(orpc.users.directory.decideAdminRequest, ...reloaded());

export const useSuspend = () => useCommand(orpc.users.directory.suspend, ...reloaded());

export const useRestore = () => useCommand(orpc.users.directory.restore, ...reloaded());

export const useEndUserSessions = () => useCommand(orpc.users.directory.endSessions, ...reloaded());

export const useResetSecondFactor = () => useCommand(orpc.users.directory.resetSecondFactor, ...reloaded());

export const useBecomeFirstAdmin = () => useCommand(orpc.users.directory.becomeFirstAdmin, ...reloaded());
