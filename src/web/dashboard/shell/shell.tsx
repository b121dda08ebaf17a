import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { PanelLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { Role } from "#users/rules.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { type NavigationItem, Sidebar } from "./sidebar.tsx";
import { isSidebarCollapsed, sidebarCookie } from "./sidebar-cookie.ts";
import styles from "./shell.module.css";

/** Below this width the sidebar is a drawer (product specification: 768 px). */
const phone = "(max-width: 767.98px)";

type Props = Readonly<{
  title: string;
  navigation: readonly NavigationItem[];
  user: Readonly<{ name: string; role: Role }>;
  onSignOut(): void;
  children: ReactNode;
}>;

/** Draws a dashboard around its page. Ctrl or Cmd + B collapses the sidebar; the choice is kept for seven days. */
export function Shell({ title, navigation, user, onSignOut, children }: Props) {
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const [collapsed, setCollapsed] = useState(() => isSidebarCollapsed(document.cookie));
  const [drawer, setDrawer] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const toggle = () => {
    if (isPhone) return setDrawer(!drawer);
    document.cookie = sidebarCookie(!collapsed);
    setCollapsed(!collapsed);
  };
  // No element is left out: somebody who types in the search may collapse the sidebar as well.
  useHotkeys(
    [
      ["mod+B", toggle],
      ["Escape", () => setDrawer(false), { preventDefault: false }],
    ],
    [],
  );
  useDrawerFocus(isPhone && drawer, sidebar, button);
  const { pathname } = useLocation();
  useEffect(() => setDrawer(false), [pathname, isPhone]);

  const open = isPhone ? drawer : !collapsed;
  const state = isPhone ? (drawer ? "open" : "closed") : collapsed ? "collapsed" : "expanded";
  return (
    <div
      className={styles.app}
      data-slim={!isPhone && collapsed ? "" : undefined}
      data-drawer={isPhone && drawer ? "" : undefined}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Sidebar
        title={title}
        navigation={navigation}
        user={user}
        state={state}
        ref={sidebar}
        onLeave={() => setDrawer(false)}
      />
      <button className={styles.overlay} type="button" aria-label="Close the menu" onClick={() => setDrawer(false)} />
      <div className={styles.page} inert={isPhone && drawer}>
        <header className={styles.top}>
          <button
            ref={button}
            className={styles.toggle}
            type="button"
            aria-label="Toggle sidebar"
            aria-keyshortcuts="Control+B Meta+B"
            aria-controls="sidebar"
            aria-expanded={open}
            onClick={toggle}
          >
            <PanelLeft size={20} strokeWidth={1.6} aria-hidden />
          </button>
          <span className="small quiet">{title}</span>
          <PaletteButton userRole={user.role} navigation={navigation} onToggleSidebar={toggle} onSignOut={onSignOut} />
          <button className="btn line sm" type="button" onClick={onSignOut}>
            Sign Out
          </button>
        </header>
        <main className={styles.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

function useDrawerFocus(
  open: boolean,
  sidebar: { current: HTMLElement | null },
  button: { current: HTMLElement | null },
): void {
  const was = useRef(false);
  useEffect(() => {
    if (open) sidebar.current?.querySelector<HTMLElement>("nav a")?.focus();
    else if (was.current) button.current?.focus();
    was.current = open;
  }, [open, sidebar, button]);
}
