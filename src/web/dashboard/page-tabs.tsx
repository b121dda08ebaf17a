import { useEffect, useRef } from "react";
import { Link } from "react-router";
import styles from "./page-tabs.module.css";

export type PageTab = Readonly<{ name: string; label: string; to: string; count?: number | undefined }>;

type Props = Readonly<{ label: string; tabs: readonly PageTab[]; current: string }>;

export function PageTabs({ label, tabs, current }: Props) {
  const row = useRef<HTMLElement>(null);
  // Scrolls only to a clipped tab. Measuring every row during rendering would force a layout.
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!chosen || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver(
      ([seen]) => {
        observer.disconnect();
        if (row.current && seen && seen.intersectionRatio < 1)
          row.current.scrollLeft = chosen.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2;
      },
      { root: row.current, threshold: 1 },
    );
    observer.observe(chosen);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav className={styles.tabs} aria-label={label} ref={row}>
      {tabs.map(({ name, label: text, to, count }) => (
        <Link key={name} to={to} aria-current={name === current ? "page" : undefined} preventScrollReset>
          {text}
          {count === undefined ? null : <span className={styles.count}>{count.toLocaleString("en-US")}</span>}
        </Link>
      ))}
    </nav>
  );
}
