import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

export default function ArtistLayout() {
  return <DashboardLayout roles={["artist"]} />;
}
