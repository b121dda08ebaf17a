import { CalendarDays, LayoutDashboard } from "lucide-react";
import { Area } from "../areas/area.tsx";
import { paths } from "../paths.ts";

const entries = [
  { label: "Overview", to: paths.admin.overview, icon: LayoutDashboard, end: true },
  { label: "Bookings", to: paths.admin.bookings, icon: CalendarDays },
];

/** /admin and below: for admins. */
export default function AdminLayout() {
  return <Area role="admin" title="Admin Panel" entries={entries} />;
}
