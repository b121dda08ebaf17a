import type { ReactNode } from "react";
import type { ApiClient } from "../lib/api/api-context.ts";
import styles from "./auth.module.css";

export function AuthLayout({ posters, children }: Readonly<{ posters: readonly string[]; children: ReactNode }>) {
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

export async function wallPosters(api: ApiClient, count: number): Promise<string[]> {
  const { items } = await api.artists.list({ limit: count });
  return items.map((artist) => artist.picture_url);
}
