import type { ReactNode } from "react";
import styles from "./booking.module.css";

type Props = Readonly<{ title: string; children: ReactNode }>;

/** Has a heading, which takes the focus when an answer removes its own button. */
export const NowMessage = ({ title, children }: Props) => (
  <div className={styles.message}>
    <h2>{title}</h2> <p>{children}</p>
  </div>
);
