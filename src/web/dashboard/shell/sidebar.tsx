import { Tooltip } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import { isCurrent } from "./current-page.ts";
import type { NavigationItem } from "./navigation.ts";
import styles from "./shell.module.css";

type SidebarUser = Readonly<{ name: string; role: string }>;

type Props = Readonly<{
  title: string;
  navigation: readonly NavigationItem[];
  user: SidebarUser;
  state: "expanded" | "collapsed";
}>;

export function Sidebar({ title, navigation, user, state }: Props) {
  const location = useLocation();
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
                <span className={styles.label}>{label}</span>
              </Link>
            </Tooltip>
          ))}
      </nav>
      <Tooltip label={`${user.name}: account`} position="right" disabled={state !== "collapsed"}>
        <Link className={styles.me} to={paths.account} aria-current={current(paths.account)}>
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
