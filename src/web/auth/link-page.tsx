import type { ReactNode } from "react";
import { useHydrated } from "../lib/browser/use-hydrated.ts";
import styles from "./auth.module.css";

/** Undefined on the server, which renders the same page for all visitors. */
export const useLinkQuery = (): URLSearchParams | undefined =>
  useHydrated() ? new URLSearchParams(window.location.search) : undefined;

type Props = Readonly<{ title: string; text: string; children?: ReactNode }>;

export function LinkOutcome({ title, text, children }: Props) {
  return (
    <div role="status">
      <h1 className={styles.tight}>{title}</h1>
      <p className={styles.lead}>{text}</p>
      {children}
    </div>
  );
}
