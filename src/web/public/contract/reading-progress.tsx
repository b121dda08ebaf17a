import { SignBy } from "./sign-by.tsx";
import type { Reading } from "./use-reading.ts";
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
