import { Tooltip, Menu } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { PanelLeft, Ellipsis, LogOut, UserRound } from "lucide-react";
import { type ReactNode, useState, type MouseEvent } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { orpc } from "../../lib/api/query.ts";
import { phoneQuery, useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { leaveAllPages } from "../dialogs/unsaved-changes.tsx";
import { PaletteButton } from "../palette/palette-button.tsx";
import type { NavigationItem } from "./navigation.ts";
import { isSidebarCollapsed, sidebarCookie } from "./sidebar-cookie.ts";
import styles from "./shell.module.css";

type Props = Readonly<{
  title: string;
  navigation: readonly NavigationItem[];
  user: Readonly<{ name: string; role: Role }>;
  onSignOut(): void;
  children: ReactNode;
}>;

/** Renders a dashboard around its page: a sidebar, or a bottom bar on a phone. Ctrl or Cmd + B collapses the sidebar for seven days. */
export function Shell({ title, navigation, user, onSignOut, children }: Props) {
  const isPhone = useMediaQuery(phoneQuery);
  const [collapsed, setCollapsed] = useState(() => isSidebarCollapsed(document.cookie));
  const toggle = () => {
    document.cookie = sidebarCookie(!collapsed);
    setCollapsed(!collapsed);
  };
  const signOut = () => leaveAllPages(onSignOut);
  // Excludes no element, so the shortcut works in the search field too.
  useHotkeys([["mod+B", toggle]], []);
  const palette = (
    <PaletteButton
      userRole={user.role}
      navigation={navigation.filter(({ isOnlyInBar }) => !isOnlyInBar)}
      onToggleSidebar={isPhone ? undefined : toggle}
      onSignOut={signOut}
    />
  );
  return (
    <div className={styles.app} data-slim={collapsed ? "" : undefined}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {isPhone ? null : (
        <Sidebar title={title} navigation={navigation} user={user} state={collapsed ? "collapsed" : "expanded"} />
      )}
      <div className={styles.page}>
        {isPhone ? (
          <header className={styles.top}>
            <Link className={styles.brand} to={paths.home}>
              <Wordmark />
            </Link>
            {palette}
          </header>
        ) : (
          <header className={styles.top}>
            <IconButton
              className={styles.toggle}
              label="Toggle sidebar"
              aria-keyshortcuts="Control+B Meta+B"
              aria-controls="sidebar"
              aria-expanded={!collapsed}
              onClick={toggle}
            >
              <PanelLeft size={20} strokeWidth={1.6} aria-hidden />
            </IconButton>
            <span className={`small quiet ${styles.where}`}>{title}</span>
            {palette}
            <Button tone="line" size="sm" onClick={signOut}>
              Sign Out
            </Button>
          </header>
        )}
        <main className={styles.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {isPhone ? <BottomBar role={user.role} navigation={navigation} onSignOut={signOut} /> : null}
    </div>
  );
}

type SidebarProps = Pick<Props, "title" | "navigation" | "user"> & Readonly<{ state: "expanded" | "collapsed" }>;

function Sidebar({ title, navigation, user, state }: SidebarProps) {
  const location = useLocation();
  // A collapsed label is for screen readers. The tooltip shows it.
  const hidden = state === "collapsed" ? "sr" : undefined;
  const current = (to: string, end = false) => (isCurrent(location, to, end) ? "page" : undefined);
  return (
    <aside className={styles.side} aria-label={title} data-sidebar={state} id="sidebar">
      <Link className={styles.brand} to={paths.home}>
        <Wordmark />
      </Link>
      <p className={styles.title}>{title}</p>
      <nav className={styles.nav} aria-label={`${title} pages`}>
        {navigation
          .filter(({ isOnlyInBar }) => !isOnlyInBar)
          .map(({ label, to, icon: Icon, end }) => (
            <Tooltip key={to} label={label} position="right" disabled={state !== "collapsed"}>
              <Link className={styles.link} to={to} aria-current={current(to, end)}>
                <Icon size={20} strokeWidth={1.6} aria-hidden />
                <span className={hidden}>{label}</span>
              </Link>
            </Tooltip>
          ))}
      </nav>
      <Tooltip label={`${user.name}: account`} position="right" disabled={state !== "collapsed"}>
        <Link className={styles.me} to={paths.account} aria-current={current(paths.account)}>
          <span className={styles.initial} aria-hidden>
            {(user.name.trim()[0] ?? "?").toUpperCase()}
          </span>
          <span className={hidden ?? styles.userName}>
            {user.name}
            <span className={styles.role}>{user.role}</span>
          </span>
        </Link>
      </Tooltip>
    </aside>
  );
}

type BarProps = Readonly<{ role: Role; navigation: readonly NavigationItem[]; onSignOut(): void }>;

function BottomBar({ role, navigation, onSignOut }: BarProps) {
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

function Rest({ role, navigation, isCurrent: current, onSignOut }: BarProps & Readonly<{ isCurrent: boolean }>) {
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

/** Subpages match too, unless `end`. An address with a query matches only with this query. */
function isCurrent(location: Readonly<{ pathname: string; search: string }>, to: string, end = false): boolean {
  const [path = "", query] = to.split("?");
  if (query) return location.pathname === path && location.search.slice(1).split("&").includes(query);
  return location.pathname === path || (!end && location.pathname.startsWith(`${path}/`));
}
