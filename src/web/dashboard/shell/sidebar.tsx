/** The sidebar of every dashboard: its pages, the current page, and the signed-in user. */
import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "../../paths.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import styles from "./shell.module.css";

/** One page of a dashboard. Only pages that exist are listed. */
export type NavigationItem = Readonly<{ label: string; to: string; icon: LucideIcon; end?: boolean }>;

type SidebarUser = Readonly<{ name: string; role: string }>;

type Props = Readonly<{
  title: string;
  navigation: readonly NavigationItem[];
  user: SidebarUser;
  /** What `data-sidebar` says: how the sidebar stands at this moment. */
  stands: "expanded" | "collapsed" | "open" | "closed";
  ref?: Ref<HTMLElement>;
  onLeave(): void;
}>;

/** Lists the pages of one dashboard, with the present one lit. */
export function Sidebar({ title, navigation, user, stands, ref, onLeave }: Props) {
  const { pathname } = useLocation();
  const present = (to: string, end = false) =>
    pathname === to || (!end && pathname.startsWith(`${to}/`)) ? "page" : undefined;
  return (
    <aside className={styles.side} aria-label={title} data-sidebar={stands} ref={ref} id="sidebar">
      <Link className={styles.brand} to={paths.home}>
        <Wordmark />
      </Link>
      <p className={styles.area}>{title}</p>
      <nav className={styles.nav} aria-label={`${title} pages`}>
        {navigation.map(({ label, to, icon: Icon, end }) => (
          <Link key={to} className={styles.link} to={to} aria-current={present(to, end)} onClick={onLeave}>
            <Icon size={20} strokeWidth={1.6} aria-hidden />
            <span className={styles.word}>{label}</span>
          </Link>
        ))}
      </nav>
      <Link className={styles.me} to={paths.account} aria-current={present(paths.account)} onClick={onLeave}>
        <span className={styles.initial} aria-hidden>
          {(user.name.trim()[0] ?? "?").toUpperCase()}
        </span>
        <span className={styles.who}>
          {user.name}
          <span className={styles.role}>{user.role}</span>
        </span>
      </Link>
    </aside>
  );
}
