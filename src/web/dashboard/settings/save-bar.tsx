import { localMoment, localToday } from "../../lib/format/dates.ts";
import { formatShortDate } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./settings.module.css";

type Props = Readonly<{
  changes: readonly string[];
  savedAt: string | null;
  error: string | undefined;
  busy: boolean;
  onUndo(): void;
}>;

export function SaveBar({ changes, savedAt, error, busy, onUndo }: Props) {
  const nothing = changes.length === 0;
  return (
    <div className={styles.savebar}>
      {error ? <p role="alert">{error}</p> : <p role="status">{nothing ? saved(savedAt) : unsaved(changes)}</p>}
      <Button tone="line" disabled={nothing || busy} onClick={onUndo}>
        Undo
      </Button>
      <Button type="submit" disabled={nothing && !busy} busy={busy} busyLabel="Saving...">
        Save Settings
      </Button>
    </div>
  );
}

function saved(at: string | null): string {
  if (at === null) return "Nothing to save yet.";
  const { day, time } = localMoment(at);
  return `Your settings were saved ${day === localToday() ? "today" : `on ${formatShortDate(day)}`}, ${time}.`;
}

export function unsaved(changes: readonly string[]): string {
  const named =
    changes.length > 4 ? `${changes.slice(0, 3).join(", ")} and ${changes.length - 3} more` : changes.join(", ");
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"} not saved: ${named}.`;
}
