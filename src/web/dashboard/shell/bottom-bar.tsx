import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, LogOut, UserRound } from "lucide-react";
import type { MouseEvent } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { orpc } from "../../lib/api/query.ts";
import { isCurrent } from "./current-page.ts";
import type { NavigationItem } from "./navigation.ts";
import styles from "./shell.module.css";

type Props = Readonly<{ role: Role; navigation: readonly NavigationItem[]; onSignOut(): void }>;

export function BottomBar({ role, navigation, onSignOut }: Props) {
  const location = useLocation();
  const barItems = navigation.filter(({ shortLabel }) => shortLabel !== undefined);
  const matching = barItems.filter(
    ({ to, also, end }) => isCurrent(location, to, end) || (also !== undefined && isCurrent(location, also)),
  );
  // The calendar is a view of the bookings page and takes precedence over it.
  const current = matching.find(({ isOnlyInBar }) => isOnlyInBar) ?? matching[0];
  return (
    <nav className={styles.bar} aria-label="Main pages">
      {barItems.map(({ label, shortLabel, to, icon: Icon, counts }) => (
        <Link
          key={to}
          to={to}
          aria-label={shortLabel === label ? undefined : `${shortLabel}: ${label}`}
          aria-current={to === current?.to ? "page" : undefined}
          onClick={(event) => to === current?.to && scrollUp(event, to, location.pathname)}
        >
          <Icon size={22} strokeWidth={1.6} aria-hidden />
          {shortLabel}
          {counts ? <WaitingCount role={role} /> : null}
        </Link>
      ))}
      <Rest role={role} navigation={navigation} isCurrent={current === undefined} onSignOut={onSignOut} />
    </nav>
  );
}

function scrollUp(event: MouseEvent, to: string, pathname: string): void {
  if (to.split("?")[0] !== pathname) return;
  event.preventDefault();
  window.scrollTo({ top: 0 });
}

function Rest({ role, navigation, isCurrent: current, onSignOut }: Props & Readonly<{ isCurrent: boolean }>) {
  const [Icon, label] = role === "admin" ? ([Ellipsis, "More"] as const) : ([UserRound, "Me"] as const);
  return (
    <Menu position="top-end" width="18rem" shadow="none" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button type="button" aria-current={current ? "true" : undefined}>
          <Icon size={22} strokeWidth={1.6} aria-hidden />
          {label}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {navigation
          .filter(({ shortLabel }) => shortLabel === undefined)
          .map(({ label: page, to, icon: PageIcon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<PageIcon size={20} strokeWidth={1.6} />}>
              {page}
            </Menu.Item>
          ))}
        <Menu.Item component={Link} to={paths.account} leftSection={<UserRound size={20} strokeWidth={1.6} />}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={onSignOut} leftSection={<LogOut size={20} strokeWidth={1.6} />}>
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function WaitingCount({ role }: Readonly<{ role: Role }>) {
  const needed = { show: "needs_you", limit: 1 } as const;
  const artist = useQuery(orpc.bookings.listOfArtist.queryOptions({ input: needed, enabled: role === "artist" }));
  const promoter = useQuery(orpc.bookings.listOfPromoter.queryOptions({ input: needed, enabled: role === "promoter" }));
  const admin = useQuery(orpc.activity.attention.queryOptions({ enabled: role === "admin" }));
  const count = role === "admin" ? admin.data?.items.length : (artist.data ?? promoter.data)?.summary?.counts.needs_you;
  if (!count) return null;
  return (
    <b>
      {count > 99 ? "99+" : count}
      <span className="sr"> waiting for you</span>
    </b>
  );
}
