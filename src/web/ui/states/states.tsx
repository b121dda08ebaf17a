import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import styles from "./states.module.css";

type Heading = "h1" | "h2" | "h3";

export function EmptyState({
  title,
  text,
  heading: H = "h3",
  children,
}: {
  title: string;
  text?: string;
  heading?: Heading;
  children?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <svg viewBox="0 0 90 60" width="90" height="60" aria-hidden>
        <path d="M0 0h90v8H0z" fill="var(--ink)" />
        <path
          d="M4 8h12v34q-6 8-12 0zM20 8h12v24q-6 8-12 0zM58 8h12v24q-6 8-12 0zM74 8h12v34q-6 8-12 0z"
          fill="var(--accent)"
        />
        <ellipse cx="45" cy="54" rx="24" ry="6" fill="var(--lamp)" />
      </svg>
      <H>{title}</H>
      {text ? <p className="quiet">{text}</p> : null}
      {children}
    </div>
  );
}

type Failed = {
  title: string;
  text: string;
  reference?: string | undefined;
  heading?: Heading;
  onRetry(): void;
  /** Replaces Retry where the same request would fail again. */
  children?: ReactNode;
};

export function ErrorState({ title, text, reference, heading: H = "h3", onRetry, children }: Failed) {
  return (
    <div className={styles.state} role="alert">
      <svg viewBox="0 0 90 60" width="90" height="60" aria-hidden>
        <path d="M0 0h90v8H0z" fill="var(--ink)" />
        <path
          d="M4 8h12v44q-6 8-12 0zM20 8h12v44q-6 8-12 0zM39 8h12v44q-6 8-12 0zM58 8h12v44q-6 8-12 0zM74 8h12v44q-6 8-12 0z"
          fill="var(--ch-4)"
        />
      </svg>
      <H>{title}</H>
      <p className="quiet">{text}</p>
      {children ?? <Button onClick={onRetry}>Retry</Button>}
      {reference && !text.includes(reference) ? <p className="small quiet">Reference {reference}</p> : null}
    </div>
  );
}
