import { Button } from "../../ui/button.tsx";
import styles from "./settings.module.css";
import { useLeaveConfirmation } from "./use-leave-confirmation.ts";

type Props = Readonly<{
  /** The unsaved changes: "the note". Without a change the bar is closed. */
  changes: readonly string[];
  /** A new form can be saved unchanged, because nothing is stored yet. */
  isNew?: boolean;
  error?: string | undefined;
  busy: boolean;
  save: string;
  undo?: string;
  onUndo(): void;
}>;

/** The bar of every form with a Save button, over reserved space (no layout shift). Leaving the page with changes opens a confirmation. */
export function SaveBar({ changes, isNew = false, error, busy, save, undo = "Undo", onUndo }: Props) {
  const isChanged = changes.length > 0;
  const isOpen = isChanged || isNew || busy || error !== undefined;
  useLeaveConfirmation(isChanged);
  return (
    <div className={styles.savebar} data-open={isOpen || undefined} inert={!isOpen}>
      <div>
        {error ? (
          <p role="alert">{error}</p>
        ) : (
          <p role="status">{isChanged ? unsaved(changes) : isNew ? "Not saved yet." : ""}</p>
        )}
        <Button tone="line" disabled={!isChanged || busy} onClick={onUndo}>
          {undo}
        </Button>
        <Button type="submit" disabled={!isOpen} busy={busy} busyLabel="Saving...">
          {save}
        </Button>
      </div>
    </div>
  );
}

function unsaved(changes: readonly string[]): string {
  const named =
    changes.length > 4 ? `${changes.slice(0, 3).join(", ")} and ${changes.length - 3} more` : changes.join(", ");
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"} not saved: ${named}.`;
}
