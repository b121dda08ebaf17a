/** What the browser knows of the server's lists, for the pages behind the login. */
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { QueryClient } from "@tanstack/react-query";
import { browserApi } from "./browser-api.ts";
import { refusalOf } from "./refusal.ts";

/** Kept answers. A refusal is not asked again by itself; a lost connection is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => refusalOf(error).status === undefined && failures < 2,
      refetchOnWindowFocus: true,
    },
  },
});

/** Queries and commands of the whole API, typed by its contract. */
export const orpc = createTanstackQueryUtils(browserApi);
