import { Area } from "../areas/area.tsx";

/** /admin and below: for admins. */
export default function AdminLayout() {
  return <Area roles={["admin"]} />;
}
