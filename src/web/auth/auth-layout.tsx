import type { ReactNode } from "react";
import styles from "./auth.module.css";

type Props = Readonly<{ posters: readonly string[]; children: ReactNode }>;

export function AuthLayout({ posters, children }: Props) {
  return (
    <div className={styles.split}>
      <div className={styles.mid}>{children}</div>
      <div className={posters.length === 1 ? `${styles.wall} ${styles.one}` : styles.wall} aria-hidden>
        {posters.map((poster) => (
          <img key={poster} src={poster} width={600} height={800} alt="" fetchPriority="low" />
        ))}
      </div>
    </div>
  );
}
