/** /dashboard: leads a signed-in person to the area of their role, and everybody else to sign in. */
import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { Role } from "#users/rules.ts";
import { type CurrentUserState, useCurrentUser } from "../lib/auth/current-user.ts";
import { paths } from "../paths.ts";
import { Spinner } from "../ui/spinner.tsx";
import { ServerUnreachable } from "../dashboard/shell/unreachable.tsx";
import type { Route } from "./+types/dashboard-page.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Dashboard | Stagedoor" },
  { name: "robots", content: "noindex" },
];

/** Where a role is at home (specification, section 2). A role that is not known goes where promoters go. */
export function dashboardPathOf(role: Role | null): string {
  if (role === "admin") return paths.admin.overview;
  if (role === "artist") return paths.artistArea.overview;
  return paths.promoterArea.bookings;
}

function goalOf(person: CurrentUserState): string | undefined {
  if (person.phase === "known") return dashboardPathOf(person.me.role);
  if (person.phase === "code-needed") return paths.code;
  return person.phase === "nobody" ? paths.signIn : undefined;
}

export default function DashboardPage() {
  const person = useCurrentUser();
  const navigate = useNavigate();
  const goal = goalOf(person);
  useEffect(() => {
    if (goal) void navigate(goal, { replace: true });
  }, [goal, navigate]);
  if (person.phase === "unreachable") return <ServerUnreachable onRetry={person.retry} />;
  return (
    <div style={{ display: "grid", placeItems: "center", minHeight: "60vh" }}>
      <div style={{ display: "grid", justifyItems: "center", gap: "1rem" }}>
        <Spinner />
        <p>Redirecting to your dashboard</p>
      </div>
    </div>
  );
}
