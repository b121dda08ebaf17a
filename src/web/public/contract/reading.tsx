import { type RefObject, useEffect, useState } from "react";
import { SignBy } from "./sign-by.tsx";
import type { ContractResponse } from "./use-signing.ts";
import styles from "./contract.module.css";

export type DocumentText = NonNullable<NonNullable<ContractResponse["document"]>["text"]>;
type Section = DocumentText["sections"][number];

export const clauseId = ({ number }: Pick<Section, "number">): string => `c${number}`;

export function ReadingStrip({
  sections,
  read,
  end,
}: Readonly<{ sections: readonly Section[]; read: Reading["read"]; end: ContractResponse["expires_at"] }>) {
  return (
    <div className={styles.strip}>
      <div className="wrap">
        <p>
          <strong>
            {read.size} of {sections.length} clauses
          </strong>
          <span className="sr"> read</span>
        </p>
        <span className={styles.cells} aria-hidden>
          {sections.map((section, at) => (
            <i key={section.number} data-read={read.has(at) || undefined} />
          ))}
        </span>
        {end ? (
          <p className={styles.left}>
            <i className={styles.lamp} aria-hidden />
            <span>
              <SignBy end={end} />
            </span>
          </p>
        ) : null}
      </div>
    </div>
  );
}

const wordsAMinute = 220;

function minutesOf({ sections }: DocumentText): number {
  const words = sections
    .flatMap(({ clauses }) => clauses)
    .map(({ content }) => JSON.stringify(content).split(" ").length);
  return Math.max(1, Math.round(words.reduce((sum, count) => sum + count, 0) / wordsAMinute));
}

/** `isOpen`: the contract waits for the viewer, so the list shows how much of it was read. */
export function ClauseList({
  text,
  reading,
  isOpen,
}: Readonly<{ text: DocumentText; reading: Reading; isOpen: boolean }>) {
  const minutes = minutesOf(text);
  return (
    <nav className={styles.list} aria-labelledby="clauses">
      <h2 id="clauses">
        {text.sections.length} clauses
        {isOpen ? `, about ${minutes} ${minutes === 1 ? "minute" : "minutes"}` : null}
      </h2>
      <ol>
        {text.sections.map((section, at) => {
          const isRead = isOpen && reading.read.has(at);
          const isCurrent = reading.current === at && !isRead;
          return (
            <li key={section.number}>
              <a href={`#${clauseId(section)}`} aria-current={reading.current === at || undefined}>
                {isOpen ? <i aria-hidden data-state={isCurrent ? "now" : isRead ? "read" : undefined} /> : null}
                <span>
                  {section.number}. {section.heading}
                  {isRead ? <span className="sr">, read</span> : null}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** How long a clause's end must be visible to count as read, in milliseconds. */
const readMs = 1_000;

export type Reading = Readonly<{
  read: ReadonlySet<number>;
  /** The clause at the upper part of the window, -1 above the first. */
  current: number;
  atSignature: boolean;
}>;

/** Tracks the reading of `clauses` sections by their ends (`data-end`), and of the signature (`data-signature`). Only displayed, because signing requires no reading. */
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
