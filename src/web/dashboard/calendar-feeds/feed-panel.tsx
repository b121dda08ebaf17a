import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../../lib/clock.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { Loaded, type Query } from "../section-failed.tsx";
import styles from "./feeds.module.css";

type Props<T> = Readonly<{
  title: string;
  add?: Readonly<{ label: string; run(): void }>;
  hint: string;
  query: Query<Readonly<{ items: readonly T[] }>>;
  what: string;
  none?: string;
  children(item: T): ReactNode;
}>;

export const FeedPanel = <T,>({ title, add, hint, query, what, none, children }: Props<T>) => (
  <section className={styles.panel}>
    <div className={styles.head}>
      <h3>{title}</h3>
      <p className={styles.hint}>{hint}</p>
      {add ? (
        <Button tone="line" size="sm" onClick={add.run}>
          <Plus size={16} aria-hidden /> {add.label}
        </Button>
      ) : null}
    </div>
    <Loaded
      query={query}
      what={what}
      loading={<Skeleton height="12rem" mt="1rem" aria-label={`Loading ${what.toLowerCase()}`} role="status" />}
    >
      {({ items }) => (items.length > 0 ? <ul>{items.map(children)}</ul> : <p className={styles.item}>{none}</p>)}
    </Loaded>
  </section>
);

/** Returns "3 hours ago", "never" without a moment. */
export function elapsed(moment: string | null): string {
  if (!moment) return "never";
  const minutes = Math.floor((currentTime().getTime() - new Date(moment).getTime()) / minuteMs);
  if (minutes < 1) return "a moment ago";
  const [count, unit] =
    minutes < 60
      ? ([minutes, "minute"] as const)
      : minutes < 60 * 48
        ? ([Math.floor(minutes / 60), "hour"] as const)
        : ([Math.floor(minutes / (60 * 24)), "day"] as const);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
