/** The three dashboards: who each is for, its title, and its pages. A page is listed once its screen exists. */
import {
  Banknote,
  CalendarDays,
  FileText,
  Image,
  LayoutDashboard,
  Music,
  ScrollText,
  SlidersHorizontal,
  UserRound,
} from "lucide-react";
import type { Role } from "#users/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { NavigationItem } from "./sidebar.tsx";

type Dashboard = Readonly<{ title: string; navigation: readonly NavigationItem[] }>;

export const dashboards: Readonly<Record<Role, Dashboard>> = {
  admin: {
    title: "Admin Panel",
    navigation: [
      { label: "Overview", to: paths.admin.overview, icon: LayoutDashboard, end: true },
      { label: "Artists", to: paths.admin.artists, icon: Music },
      { label: "Bookings", to: paths.admin.bookings, icon: CalendarDays },
      { label: "Contracts", to: paths.admin.contracts, icon: FileText },
      { label: "Payments", to: paths.admin.payments, icon: Banknote },
      { label: "Users", to: paths.admin.users, icon: UserRound },
      { label: "Settings", to: paths.admin.settings(), icon: SlidersHorizontal },
      { label: "Logs", to: paths.admin.logs, icon: ScrollText },
    ],
  },
  artist: {
    title: "Artist Dashboard",
    navigation: [
      { label: "Overview", to: paths.artistArea.overview, icon: LayoutDashboard, end: true },
      { label: "Bookings", to: paths.artistArea.bookings, icon: CalendarDays },
      { label: "My Profile", to: paths.artistArea.profile, icon: UserRound },
      { label: "Media & Portfolio", to: paths.artistArea.media, icon: Image },
      { label: "Payouts & Earnings", to: paths.artistArea.payouts, icon: Banknote },
      { label: "Settings", to: paths.artistArea.settings(), icon: SlidersHorizontal },
    ],
  },
  promoter: {
    title: "Promoter Dashboard",
    navigation: [
      { label: "Bookings", to: paths.promoterArea.bookings, icon: CalendarDays },
      { label: "Payments", to: paths.promoterArea.payments, icon: Banknote },
      { label: "Settings", to: paths.promoterArea.settings(), icon: SlidersHorizontal },
    ],
  },
};
