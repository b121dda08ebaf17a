/** Rendered in a section that failed to load. A whole list has more space: list-states.tsx. */
import { apiErrorOf } from "../lib/api-error.ts";
import { Button } from "../ui/button.tsx";
import styles from "./section-failed.module.css";

/** Shows what is missing, why, and Retry. */
export function SectionFailed({ what, error, onRetry }: Readonly<{ what: string; error: unknown; onRetry(): void }>) {
  const { message, reference } = apiErrorOf(error);
  return (
    <div className={`note cherry ${styles.failed}`} role="alert">
      <p>
        {what} could not be loaded. {message}
        {reference && !message.includes(reference) ? ` Reference ${reference}.` : ""}
      </p>
      <Button tone="line" size="sm" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
