import noShow from "./no-show.svg?url";
import type { ReactNode } from "react";
import styles from "./not-found.module.css";

type Props = Readonly<{
  title: string;
  text: string;
  /** The title is words, not a number: they stand smaller, and the page reaches down to the footer by itself. */
  words?: boolean;
  children: ReactNode;
}>;

/** The stage is empty: what is missing, a word about it, and the way on. */
export function MissingPage({ title, text, words = false, children }: Props) {
  return (
    <div className={words ? `${styles.wall} ${styles.words}` : styles.wall}>
      <div className={`wrap ${styles.lost}`}>
        <div>
          <h1>{title}</h1>
          <p>{text}</p>
          {children}
        </div>
        <span className="poster" aria-hidden>
          <img src={noShow} width={600} height={800} alt="" />
        </span>
      </div>
    </div>
  );
}
