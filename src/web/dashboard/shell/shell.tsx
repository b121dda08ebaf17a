/** The shell of the three guarded areas: a sidebar that folds away, a header with Sign Out, and the page. */
import { PanelLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { type Entry, Sidebar } from "./sidebar.tsx";
import { isSidebarCollapsed, sidebarCookie } from "./sidebar-cookie.ts";
import styles from "./shell.module.css";

/** Below this width the sidebar is a drawer (product specification: 768 px). */
const phone = "(max-width: 767.98px)";

type Props = Readonly<{
  title: string;
  entries: readonly Entry[];
  person: Readonly<{ name: string; role: string }>;
  onSignOut(): void;
  children: ReactNode;
}>;

/** Draws an area around its page. Ctrl or Cmd + B folds the sidebar; the choice is kept for seven days. */
export function Shell({ title, entries, person, onSignOut, children }: Props) {
  const isPhone = usePhone();
  const [collapsed, setCollapsed] = useState(() => isSidebarCollapsed(document.cookie));
  const [drawer, setDrawer] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const toggle = () => {
    if (isPhone) return setDrawer(!drawer);
    document.cookie = sidebarCookie(!collapsed);
    setCollapsed(!collapsed);
  };
  useSidebarKeys(toggle, () => setDrawer(false));
  useDrawerFocus(isPhone && drawer, sidebar, button);
  const { pathname } = useLocation();
  useEffect(() => setDrawer(false), [pathname, isPhone]);

  const open = isPhone ? drawer : !collapsed;
  const stands = isPhone ? (drawer ? "open" : "closed") : collapsed ? "collapsed" : "expanded";
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
        entries={entries}
        person={person}
        stands={stands}
        ref={sidebar}
        onLeave={() => setDrawer(false)}
      />
      <button className={styles.veil} type="button" aria-label="Close the menu" onClick={() => setDrawer(false)} />
      <div className={styles.stage} inert={isPhone && drawer}>
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

/** True while the window is narrower than the mobile breakpoint. */
function usePhone(): boolean {
  const [isPhone, setPhone] = useState(() => window.matchMedia(phone).matches);
  useEffect(() => {
    const query = window.matchMedia(phone);
    const listen = () => setPhone(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return isPhone;
}

function useSidebarKeys(toggle: () => void, close: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
      if (event.key.toLowerCase() !== "b" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}

/** Puts the focus into an opened drawer and back on its button afterwards. */
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
