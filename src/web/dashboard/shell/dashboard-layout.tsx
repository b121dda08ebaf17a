import "../../ui/print.css";
import "../../ui/status.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { Outlet } from "react-router";
import type { Role } from "#users/rules.ts";
import { browserApi } from "../../lib/api/browser-api.ts";
import { queryClient } from "../../lib/api/query.ts";
import { signOut, useSession } from "../../lib/auth/session.ts";
import { startEventStream } from "../../lib/realtime/event-stream.ts";
import { makeQueryInvalidator } from "../../lib/realtime/query-invalidation.ts";
import { MantineRoot } from "../../ui/mantine/mantine-root.tsx";
import { DashboardNotices } from "../dashboard-notices.tsx";
import { LeaveConfirmation } from "../dialogs/unsaved-changes.tsx";
import { Guard } from "./guard.tsx";
import { dashboards } from "./navigation.ts";
import { Shell } from "./shell.tsx";

export function DashboardLayout({ roles }: Readonly<{ roles: readonly Role[] }>) {
  useEventStream();
  return (
    <QueryClientProvider client={queryClient}>
      <Guard roles={roles}>
        {(me) => (
          <MantineRoot>
            <Shell {...dashboards[me.role]} user={me} onSignOut={() => void leave()}>
              <DashboardNotices me={me} />
              <Outlet />
            </Shell>
            <LeaveConfirmation />
          </MantineRoot>
        )}
      </Guard>
    </QueryClientProvider>
  );
}

async function leave(): Promise<void> {
  await signOut();
  queryClient.clear();
}

/** Connects before the guard decides, so the stream is open before the first list loads. */
function useEventStream(): void {
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
