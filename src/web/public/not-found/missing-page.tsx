import type { ReactNode } from "react";
import noShow from "./no-show.svg?url";
import spotlight from "../spotlight.module.css";
import styles from "./not-found.module.css";

type Props = Readonly<{
  title: string;
  text: ReactNode;
  poster?: string;
  /** A text title instead of a number. It is smaller, and the page fills the window. */
  titleIsText?: boolean;
  children: ReactNode;
}>;

export function MissingPage({ title, text, poster = noShow, titleIsText = false, children }: Props) {
  const wall = `${spotlight.wall} ${styles.beam}`;
  return (
    <div className={titleIsText ? `${wall} ${styles.titleIsText}` : wall}>
      <div className={`wrap ${styles.lost}`}>
        <div>
          <h1>{title}</h1>
          <p>{text}</p>
          {children}
        </div>
        <span className="poster" aria-hidden>
          <img src={poster} width={600} height={800} alt="" />
        </span>
      </div>
    </div>
  );
}
