import "../../ui/print.css";
import "../../ui/status.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet } from "react-router";
import type { Role } from "#users/rules.ts";
import { queryClient } from "../../lib/api/query.ts";
import { signOut } from "../../lib/auth/session.ts";
import { MantineRoot } from "../../ui/mantine/mantine-root.tsx";
import { DashboardNotices } from "../dashboard-notices.tsx";
import { LeaveConfirmation } from "../dialogs/unsaved-changes.tsx";
import { dashboards } from "./navigation.ts";
import { Guard } from "./guard.tsx";
import { Shell } from "./shell.tsx";
import { useEventStream } from "./use-event-stream.ts";

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
