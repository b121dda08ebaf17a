import { roles } from "#users/rules.ts";
import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

/** /account: for everybody who is signed in, inside the dashboard of their role. */
export default function AccountLayout() {
  return <DashboardLayout roles={roles} />;
}
