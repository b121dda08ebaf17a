import { roles } from "#users/rules.ts";
import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

export default function AccountLayout() {
  return <DashboardLayout roles={roles} />;
}
