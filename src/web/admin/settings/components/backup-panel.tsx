import { capitalized } from "#platform/text.rules.ts";
import type { useComponents } from "./use-components.ts";
import { formatBytes } from "../../../lib/format/bytes.ts";
import styles from "./components.module.css";
import { formatRelativeMoment } from "../../../lib/format/dates.ts";

export type Backup = NonNullable<ReturnType<typeof useComponents>["data"]>["backup"];

export function BackupPanel({ backup }: Readonly<{ backup: Backup }>) {
  const { last_failure: failure, next_at: next, last_verified_at: verified, place } = backup;
  if (backup.state === "none" && !place)
    return (
      <section className={`${styles.backup} ${styles.alone}`} aria-label="Backup">
        <div>
          <p className="small quiet">Last verified backup</p>
          <p className={styles.value}>None</p>
          <p className="small">{describeVerified(backup)}</p>
        </div>
      </section>
    );
  const isBad = backup.state === "late" || backup.state === "failed";
  return (
    <section className={styles.backup} aria-label="Backup" data-bad={isBad || undefined}>
      <div>
        <p className="small quiet">Last verified backup</p>
        <p className={styles.value}>{verified ? capitalized(formatRelativeMoment(verified)) : "None"}</p>
        <p className="small">{describeVerified(backup)}</p>
      </div>
      <div>
        <p className="small quiet">Kept</p>
        <p className={styles.value}>{place ? `${backup.keep} newest` : "None"}</p>
        <p className="small quiet">
          {place
            ? `${backup.bytes ? `${formatBytes(backup.bytes)} each, in ` : "In "}${place}.`
            : "No location is set."}
        </p>
      </div>
      <div>
        <p className="small quiet">Next</p>
        <p className={styles.value}>{next ? capitalized(formatRelativeMoment(next)) : "None"}</p>
        <p className="small quiet">
          {failure ? `Last failure: ${formatRelativeMoment(failure.at)}. ${failure.message}` : "No backup has failed."}
        </p>
      </div>
    </section>
  );
}

function describeVerified({ state, place, compared_tables: tables, compared_rows: rows }: Backup): string {
  const compared =
    tables && rows
      ? `Restored into an empty database and compared: ${tables} tables, ${rows.toLocaleString("en-US")} rows, equal.`
      : "Restored into an empty database and compared.";
  if (state === "none")
    return place
      ? "The first one is made tonight."
      : "This server makes no backups of its own. Set BACKUP_DIR or BACKUP_S3_BUCKET to have one made and verified each night.";
  if (state === "failed") return "The newest backup could not be restored. Older backups are retained.";
  if (state === "late") return `That is more than 8 days ago. ${compared}`;
  return compared;
}
