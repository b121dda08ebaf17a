import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

export default function PromoterLayout() {
  return <DashboardLayout roles={["promoter"]} />;
}
