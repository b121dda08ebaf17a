/** One guarded area: the guard, the kit, what the browser keeps of the server, the shell, and the page inside. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useNavigate } from "react-router";
import type { Role } from "#users/rules.ts";
import { queryClient } from "../lib/query.ts";
import { signOut } from "../lib/session.ts";
import { paths } from "../paths.ts";
import { Kit } from "../ui/kit.tsx";
import { Guard } from "./guard.tsx";
import { Shell } from "./shell.tsx";
import type { Entry } from "./sidebar.tsx";

type Props = Readonly<{ role: Role; title: string; entries: readonly Entry[] }>;

/** Draws an area for the one role it is for. */
export function Area({ role, title, entries }: Props) {
  const navigate = useNavigate();
  const leave = async () => {
    await navigate(paths.home);
    await signOut();
    queryClient.clear();
  };
  return (
    <QueryClientProvider client={queryClient}>
      <Guard role={role}>
        {(me) => (
          <Kit>
            <Shell title={title} entries={entries} person={me} onSignOut={() => void leave()}>
              <Outlet />
            </Shell>
          </Kit>
        )}
      </Guard>
    </QueryClientProvider>
  );
}
