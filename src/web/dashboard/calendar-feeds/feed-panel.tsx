import { Plus } from "lucide-react";
import type { ReactNode } from "react";
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
