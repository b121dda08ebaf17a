import type { ReactNode } from "react";
import list from "./lists/list.module.css";
import pages from "./lists/pages.module.css";

type Props = Readonly<{ title: ReactNode; actions?: ReactNode; children?: ReactNode }>;

/** The heading of a dashboard page, with its buttons at the end of the row. */
export const PageHead = ({ title, actions, children }: Props) => (
  <div className={list.head}>
    <h1>{title}</h1>
    {actions ? <div className={pages.actions}>{actions}</div> : null}
    {children}
  </div>
);
