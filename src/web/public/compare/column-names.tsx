import { type RefObject, useEffect, useState } from "react";
import type { ComparedArtist } from "#artists/api.ts";
import styles from "./compare.module.css";

type Props = Readonly<{
  artists: readonly ComparedArtist[];
  head: RefObject<HTMLElement | null>;
  ref: RefObject<HTMLDivElement | null>;
}>;

/** Names the columns below the page's header while their heads are out of view. A head in a frame that scrolls sideways cannot stick there. */
export function ColumnNames({ artists, head, ref }: Props) {
  const isShown = useIsAbove(head);
  return (
    <div className={styles.names} ref={ref} data-shown={isShown || undefined} aria-hidden>
      <div>
        <span />
        {artists.map(({ slug, name }) => (
          <span key={slug}>{name}</span>
        ))}
      </div>
    </div>
  );
}

function useIsAbove(element: RefObject<HTMLElement | null>): boolean {
  const [isAbove, setIsAbove] = useState(false);
  useEffect(() => {
    if (!element.current || !("IntersectionObserver" in window)) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => setIsAbove(Boolean(entry && !entry.isIntersecting && entry.boundingClientRect.top < 0)),
      { rootMargin: "-64px 0px 0px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isAbove;
}
