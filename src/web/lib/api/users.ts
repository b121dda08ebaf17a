/** The admin's list of people, who asks to become an admin, and what an admin does about both. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import type { Role } from "#users/rules.ts";
import { orpc } from "./query.ts";

/** A person as the list has them; dates are ISO strings. */
export type UserListItem = Awaited<ReturnType<typeof browserApi.users.people.list>>["items"][number];

/** A request to become an admin that waits. */
export type AdminRequest = Awaited<ReturnType<typeof browserApi.users.people.adminRequests>>["items"][number];

/** People, newest first, by name or email and role. */
export function useUsers(filters: { search: string; role: Role | undefined }) {
  const query = useInfiniteQuery(
    orpc.users.people.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ search: filters.search, role: filters.role, cursor }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  return { query, users: query.data?.pages.flatMap((page) => page.items) };
}

/** Who asks to become an admin. */
export const useAdminRequests = () => useQuery(orpc.users.people.adminRequests.queryOptions());

/** Makes everything stale that shows people. */
function useUsersChanged() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: orpc.users.people.key() }),
      queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
    ]);
}

/** Changes a role. Granting admin may ask for the admin's reauthentication. */
export const useChangeRole = () =>
  useMutation(orpc.users.people.changeRole.mutationOptions({ onSuccess: useUsersChanged() }));

/** Grants or declines the request to become an admin. */
export const useDecideAdminRequest = () =>
  useMutation(orpc.users.people.decideAdminRequest.mutationOptions({ onSuccess: useUsersChanged() }));

/** Suspends a person with a reason: signed out everywhere at once. */
export const useSuspend = () =>
  useMutation(orpc.users.people.suspend.mutationOptions({ onSuccess: useUsersChanged() }));

/** Lets a suspended person in again. */
export const useRestore = () =>
  useMutation(orpc.users.people.restore.mutationOptions({ onSuccess: useUsersChanged() }));

/** Signs a person out everywhere, without suspending them. */
export const useEndUserSessions = () =>
  useMutation(orpc.users.people.endSessions.mutationOptions({ onSuccess: useUsersChanged() }));

/** Removes the second factor of a person who has lost it. May ask for the admin's reauthentication. */
export const useResetSecondFactor = () =>
  useMutation(orpc.users.people.resetSecondFactor.mutationOptions({ onSuccess: useUsersChanged() }));

/** Makes the signed-in person the first admin, for a token of the operator's command line. */
export const useBecomeFirstAdmin = () =>
  useMutation(orpc.users.people.becomeFirstAdmin.mutationOptions({ onSuccess: useUsersChanged() }));
