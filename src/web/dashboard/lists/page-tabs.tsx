/** Saved filters as tabs: links with their own address, each with the number of its rows. */
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { useListAddress } from "./address.ts";
import styles from "./pages.module.css";

/** `value` is empty for the tab that shows everything; `count` is left out while it is not known. */
export type PageTab = Readonly<{ value: string; label: string; count?: number | undefined }>;

type Props = Readonly<{ label: string; name: string; chosen: string; tabs: readonly PageTab[] }>;

/** Draws the tabs; the row scrolls inside itself, and the current tab is brought into view. */
export function PageTabs({ label, name, chosen, tabs }: Props) {
  const address = useListAddress();
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise here, which an effect must not return.
    current.current?.scrollIntoView?.({ block: "nearest", inline: "center" });
  }, [chosen]);
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ value, label: text, count }) => (
        <Link
          key={value}
          to={address({ [name]: value })}
          ref={value === chosen ? current : undefined}
          aria-current={value === chosen ? "page" : undefined}
          preventScrollReset
        >
          {text}
          {count === undefined ? null : <span className={styles.count}>{count.toLocaleString("en-US")}</span>}
        </Link>
      ))}
    </nav>
  );
}
