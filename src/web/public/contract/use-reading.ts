/** Tracks how far a contract was read. Only displayed, because signing requires no reading. */

import { type RefObject, useEffect, useState } from "react";

/** How long a clause's end must be visible to count as read, in milliseconds. */
const readMs = 1_000;

export type Reading = Readonly<{
  read: ReadonlySet<number>;
  /** The clause at the upper part of the window, -1 above the first. */
  current: number;
  atSignature: boolean;
}>;

/** Tracks the reading of `clauses` sections by their ends (`data-end`), and of the signature (`data-signature`). */
export function useReading(page: RefObject<HTMLElement | null>, clauses: number): Reading {
  const [read, setRead] = useState<ReadonlySet<number>>(new Set());
  const [current, setCurrent] = useState(-1);
  const [atSignature, setAtSignature] = useState(false);
  useEffect(() => {
    const root = page.current;
    if (!root || clauses === 0) return undefined;
    const timers = new Map<number, ReturnType<typeof setTimeout>>();
    const ends = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const at = Number((target as HTMLElement).dataset["end"]);
          clearTimeout(timers.get(at));
          if (isIntersecting)
            timers.set(
              at,
              setTimeout(() => setRead((before) => new Set(before).add(at)), readMs),
            );
        }
      },
      // Excludes the areas behind the top strip and the bottom bar.
      { rootMargin: "-112px 0px -76px 0px" },
    );
    const marks = [...root.querySelectorAll<HTMLElement>("[data-end]")];
    marks.forEach((mark) => ends.observe(mark));
    const follow = () => {
      const line = window.innerHeight * 0.4;
      setCurrent(marks.findLastIndex((mark) => (mark.parentElement?.getBoundingClientRect().top ?? Infinity) < line));
    };
    follow();
    window.addEventListener("scroll", follow, { passive: true });
    return () => {
      ends.disconnect();
      timers.forEach((timer) => clearTimeout(timer));
      window.removeEventListener("scroll", follow);
    };
  }, [page, clauses]);
  useEffect(() => {
    const signature = page.current?.querySelector("[data-signature]");
    if (!signature) return undefined;
    // Only in the window's upper part, because its start is visible long before, below the last clause.
    const observer = new IntersectionObserver(([entry]) => setAtSignature(entry?.isIntersecting ?? false), {
      rootMargin: "0px 0px -45% 0px",
    });
    observer.observe(signature);
    return () => observer.disconnect();
  }, [page]);
  return { read, current, atSignature };
}
