import type { ReactNode } from "react";
import styles from "./account.module.css";

/** One subject of the account: its title and consequence at left, what can be done at right. */
export function Section({ title, why, children }: Readonly<{ title: string; why: string; children: ReactNode }>) {
  return (
    <section>
      <div>
        <h2>{title}</h2>
        <p className={styles.why}>{why}</p>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
