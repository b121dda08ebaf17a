import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { hashKey, MutationCache, QueryCache, QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { browserApi } from "./browser-api.ts";
import { apiErrorOf } from "../api-error.ts";

/** Errors that say nothing about who the person is: the server wants reauthentication, not another role. */
const reauthenticationCodes = new Set(["reauthentication_needed", "reauthentication_not_valid", "insufficient_aal"]);

/** Checks the person again after a refused call, and the guards follow. Other errors go to the caller. */
function doubtPerson(error: unknown): void {
  const { status, code } = apiErrorOf(error);
  if ((status !== 401 && status !== 403) || reauthenticationCodes.has(code)) return;
  void queryClient.invalidateQueries({ queryKey: orpc.users.me.key() });
}

/** Cached responses. A request that was answered with an error is not repeated by itself; one without an answer is, twice. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (!isAboutMe(query.queryKey)) doubtPerson(error);
    },
  }),
  mutationCache: new MutationCache({ onError: doubtPerson }),
  defaultOptions: {
    queries: {
      // Asked also while the browser says that it is offline: the failure is shown with Retry, instead of old rows that wait for
      // a connection without a word.
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

/** Options of a mutation: after its success the queries under these keys are read again before it is done. */
export function useReadAgain(...keys: QueryKey[]) {
  const queries = useQueryClient();
  return { onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))) };
}

/** The question itself must not ask itself again for ever. */
const isAboutMe = (key: readonly unknown[]): boolean => hashKey(key) === hashKey(orpc.users.me.queryKey());
