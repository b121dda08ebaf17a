import { Area } from "../dashboard/shell/dashboard-layout.tsx";

/** /admin and below: for admins. */
export default function AdminLayout() {
  return <Area roles={["admin"]} />;
}
