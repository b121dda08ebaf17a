import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

/** /promoter and below: for promoters. */
export default function PromoterLayout() {
  return <DashboardLayout roles={["promoter"]} />;
}
