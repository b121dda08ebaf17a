import { CalendarDays } from "lucide-react";
import { Area } from "../areas/area.tsx";
import { paths } from "../paths.ts";

const entries = [{ label: "Bookings", to: paths.promoterArea.bookings, icon: CalendarDays }];

/** /promoter and below: for promoters. */
export default function PromoterLayout() {
  return <Area role="promoter" title="Promoter Dashboard" entries={entries} />;
}
