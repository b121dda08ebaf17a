import { Button } from "../../ui/button.tsx";
import { describeChanges, useUnsavedChanges } from "../dialogs/unsaved-changes.tsx";
import styles from "./settings.module.css";

type Props = Readonly<{
  changes: readonly string[];
  isLostWithQuery?: boolean;
  /** A new form can be saved unchanged, because nothing is stored yet. */
  isNew?: boolean;
  error?: string | undefined;
  busy: boolean;
  save: string;
  undo?: string;
  onUndo(): void;
}>;

/** The bar of every form with a Save button, over reserved space (no layout shift). Leaving the page with changes opens a confirmation. */
export function SaveBar({ changes, isLostWithQuery, isNew = false, error, busy, save, undo = "Undo", onUndo }: Props) {
  const isChanged = changes.length > 0;
  const isOpen = isChanged || isNew || busy || error !== undefined;
  useUnsavedChanges(changes, isLostWithQuery);
  return (
    <div className={styles.savebar} data-open={isOpen || undefined} inert={!isOpen}>
      <div>
        {error ? (
          <p role="alert">{error}</p>
        ) : (
          <p role="status">{isChanged ? describeChanges(changes) : isNew ? "Not saved yet." : ""}</p>
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
