import {
  Banknote,
  CalendarClock,
  CalendarDays,
  ClipboardList,
  FileText,
  Image,
  LayoutDashboard,
  type LucideIcon,
  Music,
  ScrollText,
  Search,
  SlidersHorizontal,
  UserRound,
  UsersRound,
} from "lucide-react";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";

export type NavigationItem = Readonly<{
  label: string;
  to: string;
  icon: LucideIcon;
  end?: boolean;
  /** The label in a phone's bottom bar. Without one, the page is in the bar's menu. */
  shortLabel?: string;
  counts?: boolean;
  isOnlyInBar?: boolean;
  /** Another address that marks this bar item as current. */
  also?: string;
}>;

type Dashboard = Readonly<{ title: string; navigation: readonly NavigationItem[] }>;

export const dashboards: Readonly<Record<Role, Dashboard>> = {
  admin: {
    title: "Admin Panel",
    navigation: [
      {
        label: "Overview",
        to: paths.admin.overview,
        icon: LayoutDashboard,
        end: true,
        shortLabel: "Overview",
        counts: true,
      },
      { label: "Artists", to: paths.admin.artists, icon: Music },
      { label: "Bookings", to: paths.admin.bookings, icon: CalendarDays, shortLabel: "Bookings" },
      { label: "Contracts", to: paths.admin.contracts, icon: FileText },
      { label: "Payments", to: paths.admin.payments, icon: Banknote, shortLabel: "Payments" },
      { label: "Users", to: paths.admin.users, icon: UsersRound, shortLabel: "People" },
      { label: "Settings", to: paths.admin.settings(), icon: SlidersHorizontal },
      { label: "Logs", to: paths.admin.logs, icon: ScrollText },
    ],
  },
  artist: {
    title: "Artist Dashboard",
    navigation: [
      { label: "Overview", to: paths.artistArea.overview, icon: LayoutDashboard, end: true, shortLabel: "Today" },
      {
        label: "Calendar",
        to: paths.artistArea.calendar,
        also: `${paths.artistArea.bookings}?view=week`,
        icon: CalendarDays,
        shortLabel: "Calendar",
        isOnlyInBar: true,
      },
      { label: "Bookings", to: paths.artistArea.bookings, icon: ClipboardList, shortLabel: "Bookings", counts: true },
      { label: "My Profile", to: paths.artistArea.profile, icon: UserRound },
      { label: "Media & Portfolio", to: paths.artistArea.media, icon: Image },
      { label: "Payouts & Earnings", to: paths.artistArea.payouts, icon: Banknote, shortLabel: "Money" },
      { label: "Settings", to: paths.artistArea.settings(), icon: SlidersHorizontal },
    ],
  },
  promoter: {
    title: "Promoter Dashboard",
    navigation: [
      { label: "Bookings", to: paths.promoterArea.bookings, icon: ClipboardList, shortLabel: "Bookings", counts: true },
      {
        label: "Calendar",
        to: paths.promoterArea.calendar,
        also: paths.promoterArea.holds,
        icon: CalendarDays,
        shortLabel: "Calendar",
        isOnlyInBar: true,
      },
      { label: "Holds", to: paths.promoterArea.holds, icon: CalendarClock },
      { label: "Find artists", to: paths.browse(), icon: Search, shortLabel: "Find", isOnlyInBar: true },
      { label: "Payments", to: paths.promoterArea.payments, icon: Banknote, shortLabel: "Money" },
      { label: "Settings", to: paths.promoterArea.settings(), icon: SlidersHorizontal },
    ],
  },
};
