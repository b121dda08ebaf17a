import { createTanstackQueryUtils, type ProcedureUtils } from "@orpc/tanstack-query";
import {
  hashKey,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQueryClient,
} from "@tanstack/react-query";
import { apiErrorOf } from "../api-error.ts";
import { browserApi } from "./browser-api.ts";

/** Errors that require reauthentication and do not indicate a changed role. */
const reauthenticationCodes = new Set(["reauthentication_needed", "reauthentication_not_valid", "insufficient_aal"]);

function refreshUserIfUnauthorized(error: unknown): void {
  const { status, code } = apiErrorOf(error);
  if ((status !== 401 && status !== 403) || reauthenticationCodes.has(code)) return;
  // While the user cannot be read, each retry would fail, reload the page's lists and be repeated without end.
  if (queryClient.getQueryData(orpc.users.me.queryKey()) === undefined) return;
  void queryClient.invalidateQueries({ queryKey: orpc.users.me.key() });
}

/** Cached responses. Retries a request only without a response, twice. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (!isAboutMe(query.queryKey)) refreshUserIfUnauthorized(error);
    },
  }),
  mutationCache: new MutationCache({ onError: refreshUserIfUnauthorized }),
  defaultOptions: {
    queries: {
      // Requests run while the browser reports offline too. They then fail with Retry instead of showing old rows.
      networkMode: "always",
      staleTime: 10_000,
      retry: (failures, error) => navigator.onLine && apiErrorOf(error).status === undefined && failures < 2,
      refetchOnWindowFocus: true,
      refetchOnReconnect: "always",
    },
    mutations: { networkMode: "always" },
  },
});

export const orpc = createTanstackQueryUtils(browserApi);

export function useInvalidate(...keys: QueryKey[]) {
  const queries = useQueryClient();
  return { onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))) };
}

/** Returns mutation options that cache the returned document and reload the queries under `outdated`. After a conflict (409) with another window the document reloads. */
export function useSaveOptions(queryKey: QueryKey, ...outdated: QueryKey[]) {
  const queries = useQueryClient();
  const reload = (key: QueryKey) => void queries.invalidateQueries({ queryKey: key });
  return {
    onSuccess: (fresh: unknown) => {
      queries.setQueryData(queryKey, fresh);
      outdated.forEach(reload);
    },
    onError: (error: unknown) => {
      if (apiErrorOf(error).status === 409) reload(queryKey);
    },
  };
}

/** Reloads an admin's list of money to resolve, and what is counted from it, also after an error. */
export function useReloadMoneyList(list: QueryKey) {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [list, orpc.activity.key(), orpc.reports.key()])
      void queries.invalidateQueries({ queryKey });
  };
}

export const useCommand = <Input, Output, Failure extends Error>(
  procedure: ProcedureUtils<Record<never, never>, Input, Output, Failure>,
  ...keys: QueryKey[]
): UseMutationResult<Output, Failure, Input> => useMutation(procedure.mutationOptions(useInvalidate(...keys)));

/** The current user's query must not trigger itself endlessly. */
const isAboutMe = (key: readonly unknown[]): boolean => hashKey(key) === hashKey(orpc.users.me.queryKey());
