import { useEffect } from "react";
import { useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { ServerUnreachable } from "../dashboard/shell/unreachable.tsx";
import { type CurrentUserState, useCurrentUser } from "../lib/api/current-user.ts";
import { unlistedMeta } from "../lib/unlisted-meta.ts";
import { Spinner } from "../ui/states/spinner.tsx";

export const meta = () => unlistedMeta("Dashboard | Stagedoor");

/** Returns the first page of a role. An unknown role has the promoter's. */
export function dashboardPathOf(role: Role | null): string {
  if (role === "admin") return paths.admin.overview;
  if (role === "artist") return paths.artistArea.overview;
  return paths.promoterArea.bookings;
}

function goalOf(currentUser: CurrentUserState): string | undefined {
  if (currentUser.phase === "known") return dashboardPathOf(currentUser.me.role);
  if (currentUser.phase === "code-needed") return paths.code;
  return currentUser.phase === "signed-out" ? paths.signIn : undefined;
}

export default function DashboardPage() {
  const currentUser = useCurrentUser();
  const navigate = useNavigate();
  const goal = goalOf(currentUser);
  useEffect(() => {
    if (goal) void navigate(goal, { replace: true });
  }, [goal, navigate]);
  if (currentUser.phase === "unreachable") return <ServerUnreachable onRetry={currentUser.retry} />;
  return (
    <div style={{ display: "grid", placeItems: "center", minHeight: "60vh" }}>
      <div style={{ display: "grid", justifyItems: "center", gap: "1rem" }}>
        <Spinner />
        <p>Redirecting to your dashboard</p>
      </div>
    </div>
  );
}
