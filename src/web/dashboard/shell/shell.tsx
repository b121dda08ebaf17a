import { Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { PanelLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { phoneQuery, useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { leaveAllPages } from "../dialogs/unsaved-changes.tsx";
import { PaletteButton } from "../palette/palette-button.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { isCurrent } from "./current-page.ts";
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
