import { apiErrorOf } from "../lib/api-error.ts";
import { Button } from "../ui/button.tsx";
import styles from "./section-failed.module.css";

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
