import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

/** /admin and below: for admins. */
export default function AdminLayout() {
  return <DashboardLayout roles={["admin"]} />;
}
