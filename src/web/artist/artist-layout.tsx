import { DashboardLayout } from "../dashboard/shell/dashboard-layout.tsx";

/** /artist and below: for artists. The public profile /artist/{slug} is another page. */
export default function ArtistLayout() {
  return <DashboardLayout roles={["artist"]} />;
}
