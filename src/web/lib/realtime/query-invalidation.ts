import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { RealtimeTopic } from "#realtime/api.ts";
import { orpc } from "../api/query.ts";
import { authCallsRunning } from "../auth/auth-calls.ts";

type ListTopic = Exclude<RealtimeTopic, "access" | "beat" | "everything">;

const keysOf: Record<ListTopic, readonly QueryKey[]> = {
  bookings: [
    orpc.calendar.key(),
    orpc.externalCalendars.key(),
    orpc.calendarConnections.key(),
    orpc.bookings.key(),
    orpc.overviews.key(),
    orpc.reports.key(),
    orpc.ownPayments.key(),
  ],
  reviews: [orpc.reviews.key()],
  money: [
    orpc.overviews.key(),
    orpc.reports.payments.key(),
    orpc.ownPayments.key(),
    orpc.documents.key(),
    orpc.webhooks.key(),
    orpc.bookings.unreconciled.key(),
    orpc.refusedRefunds.key(),
    orpc.activity.moneyCases.key(),
  ],
  log: [orpc.activity.key()],
  settings: [
    orpc.settings.key(),
    orpc.esign.key(),
    orpc.artists.settings.key(),
    orpc.calendar.own.key(),
    orpc.notifications.emailTemplates.key(),
  ],
  users: [orpc.users.directory.key()],
  artists: [orpc.artists.key(), orpc.overviews.key()],
  claims: [orpc.users.claims.key()],
};
const currentUserKeys: readonly QueryKey[] = [orpc.users.me.key(), orpc.users.account.key(), ["account"]];

/** Milliseconds. A burst of notifications invalidates immediately and then at this interval. */
export const spacingMs = 400;
/** Milliseconds. The user's own action may have caused the notification, and its response with a new token arrives a moment later. */
export const ownActionMs = 200;
const againMs = 50;

/** Invalidates queries under a key. A first load in progress is not restarted, but repeated after its response. */
async function invalidate(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const loading = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });
  void queries.invalidateQueries({ queryKey });
  await Promise.allSettled(loading.map(async ({ promise }) => promise));
  for (const query of loading) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
}

export function makeQueryInvalidator(queries: QueryClient): {
  onNotification(about: RealtimeTopic): void;
  stop(): void;
} {
  const waiting = new Set<ListTopic>();
  let spacing: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;

  const refresh = (keys: readonly QueryKey[]) => {
    for (const queryKey of keys) void invalidate(queries, queryKey);
  };

  function flush(): void {
    spacing = undefined;
    if (waiting.size === 0) return;
    refresh([...waiting].flatMap((about) => keysOf[about]));
    waiting.clear();
    spacing = setTimeout(flush, spacingMs);
  }

  /** Waits while the user's own action is pending, because a query with the old token would seem to have no session. */
  function refreshCurrentUser(): void {
    const busy = authCallsRunning() > 0 || queries.isMutating() > 0;
    asking = busy ? setTimeout(refreshCurrentUser, againMs) : undefined;
    if (!busy) refresh(currentUserKeys);
  }

  return {
    onNotification: (about) => {
      if (about === "beat") return;
      if (about === "everything") refresh([[]]);
      else if (about === "access") asking ??= setTimeout(refreshCurrentUser, ownActionMs);
      else {
        waiting.add(about);
        if (spacing === undefined) flush();
      }
    },
    stop: () => {
      clearTimeout(spacing);
      clearTimeout(asking);
      waiting.clear();
    },
  };
}
