import { CalendarDays, LayoutDashboard } from "lucide-react";
import { Area } from "../areas/area.tsx";
import { paths } from "../paths.ts";

const entries = [
  { label: "Overview", to: paths.artistArea.overview, icon: LayoutDashboard, end: true },
  { label: "Bookings", to: paths.artistArea.bookings, icon: CalendarDays },
];

/** /artist and below: for artists. The public profile /artist/{slug} is another page. */
export default function ArtistLayout() {
  return <Area role="artist" title="Artist Dashboard" entries={entries} />;
}
