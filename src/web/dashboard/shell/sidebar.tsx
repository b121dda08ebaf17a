import { Tooltip } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import styles from "./shell.module.css";

export type NavigationItem = Readonly<{ label: string; to: string; icon: LucideIcon; end?: boolean }>;

type SidebarUser = Readonly<{ name: string; role: string }>;

type Props = Readonly<{
  title: string;
  navigation: readonly NavigationItem[];
  user: SidebarUser;
  state: "expanded" | "collapsed" | "open" | "closed";
  ref?: Ref<HTMLElement>;
  onLeave(): void;
}>;

export function Sidebar({ title, navigation, user, state, ref, onLeave }: Props) {
  const { pathname } = useLocation();
  const current = (to: string, end = false) =>
    pathname === to || (!end && pathname.startsWith(`${to}/`)) ? "page" : undefined;
  return (
    <aside className={styles.side} aria-label={title} data-sidebar={state} ref={ref} id="sidebar">
      <Link className={styles.brand} to={paths.home}>
        <Wordmark />
      </Link>
      <p className={styles.title}>{title}</p>
      <nav className={styles.nav} aria-label={`${title} pages`}>
        {navigation.map(({ label, to, icon: Icon, end }) => (
          <Tooltip key={to} label={label} position="right" disabled={state !== "collapsed"}>
            <Link className={styles.link} to={to} aria-current={current(to, end)} onClick={onLeave}>
              <Icon size={20} strokeWidth={1.6} aria-hidden />
              <span className={styles.label}>{label}</span>
            </Link>
          </Tooltip>
        ))}
      </nav>
      <Tooltip label={`${user.name}: account`} position="right" disabled={state !== "collapsed"}>
        <Link className={styles.me} to={paths.account} aria-current={current(paths.account)} onClick={onLeave}>
          <span className={styles.initial} aria-hidden>
            {(user.name.trim()[0] ?? "?").toUpperCase()}
          </span>
          <span className={styles.userName}>
            {user.name}
            <span className={styles.role}>{user.role}</span>
          </span>
        </Link>
      </Tooltip>
    </aside>
  );
}
