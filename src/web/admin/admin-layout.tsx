import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

export default function AdminLayout() {
  return <DashboardLayout roles={["admin"]} />;
}
