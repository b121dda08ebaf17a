/** How far a contract has been read. It is only shown: nobody has to read to sign. */
import { type RefObject, useEffect, useState } from "react";

/** A clause counts as read when its end has been in view for so long. */
const readMs = 1_000;

export type Reading = Readonly<{
  read: ReadonlySet<number>;
  /** The clause at the upper part of the window; -1 above the first. */
  current: number;
  atSignature: boolean;
}>;

/** Follows the reading of `clauses` sections, whose ends are marked with `data-end`, and of what is marked with `data-signature`. */
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
      // Behind the strip at the top and the bar at the foot nothing is read.
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
    // Once it has reached the upper part of the window: below the last clause its beginning is seen long before.
    const observer = new IntersectionObserver(([entry]) => setAtSignature(entry?.isIntersecting ?? false), {
      rootMargin: "0px 0px -45% 0px",
    });
    observer.observe(signature);
    return () => observer.disconnect();
  }, [page]);
  return { read, current, atSignature };
}
