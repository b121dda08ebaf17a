import { useEffect } from "react";
import { browserApi } from "../../lib/api/browser-api.ts";
import { startEventStream } from "../../lib/realtime/event-stream.ts";
import { makeQueryInvalidator } from "../../lib/realtime/query-invalidation.ts";
import { queryClient } from "../../lib/api/query.ts";
import { useSession } from "../../lib/auth/session.ts";

/** Connects before the guard decides, so the stream is open before the first list loads. */
export function useEventStream(): void {
  const session = useSession();
  const userId = session.phase === "signed-in" ? session.session.user.id : undefined;
  useEffect(() => {
    if (userId === undefined) return;
    const invalidator = makeQueryInvalidator(queryClient);
    const stop = startEventStream({
      name: `stagedoor-live-${userId}`,
      connect: (missedMs, signal) => browserApi.live.events({ missedMs }, { signal }),
      onNotification: invalidator.onNotification,
      locks: navigator.locks,
    });
    return () => {
      stop();
      invalidator.stop();
    };
  }, [userId]);
}
