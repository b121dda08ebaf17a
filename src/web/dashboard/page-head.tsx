import type { ReactNode } from "react";
import styles from "./page-head.module.css";

type Props = Readonly<{ title: ReactNode; actions?: ReactNode; children?: ReactNode }>;

export const PageHead = ({ title, actions, children }: Props) => (
  <div className={styles.head}>
    <h1>{title}</h1>
    {actions ? <div className={styles.actions}>{actions}</div> : null}
    {children}
  </div>
);
