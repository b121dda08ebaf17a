import type { ReactNode } from "react";
import styles from "./clause-content.module.css";

export type ClauseContent = string | readonly Readonly<{ label: string; amount: string; isSum: boolean }>[];

const quoteMark = "> ";
const phoneNumbers = /(\+\d[\d ().-]{5,22}\d|\(\d{2,4}\)[\d .-]{5,18}\d|\d{3}-\d{3}-\d{4})/;

const withWholeNumbers = (text: string): ReactNode =>
  text.split(phoneNumbers).map((part, at) =>
    at % 2 === 1 ? (
      <span key={at} className={styles.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );

export function ClauseText({ content, number }: Readonly<{ content: ClauseContent; number: ReactNode }>) {
  if (typeof content !== "string")
    return (
      <div className={styles.amounts}>
        {number}
        <dl>
          {content.map(({ label, amount, isSum }) => (
            <div key={label} className={isSum ? styles.sum : undefined}>
              <dt>{label}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
      </div>
    );
  if (!content.startsWith(quoteMark))
    return (
      <p>
        {number} {withWholeNumbers(content)}
      </p>
    );
  return content.split("\n").map((paragraph, at) => (
    <p key={at}>
      {number} <span className={styles.own}>{paragraph}</span>
    </p>
  ));
}
