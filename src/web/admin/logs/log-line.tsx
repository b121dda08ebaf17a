import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { copyText } from "../../lib/copy-text.ts";
import type { LogEntry } from "../../lib/api/admin-lists.ts";
import styles from "./logs.module.css";

export function LogLine({ entry }: Readonly<{ entry: LogEntry }>) {
  const { type, message, created_at: at } = entry;
  return (
    <li>
      <details className={styles.entry}>
        <summary>
          <time dateTime={at}>{formatSeconds(at)}</time>
          <StatusBadge entity="log" value={type} />
          <span className={styles.message}>{message}</span>
          <span className={styles.reference}>{referenceOf(entry)}</span>
        </summary>
        <div className={styles.meta}>
          <dl>
            {detailsOf(entry).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.actions}>
            {entry.booking ? <Link to={paths.admin.booking(entry.booking.id)}>View booking</Link> : null}
            <Button tone="line" size="sm" onClick={() => void copy(entry)}>
              Copy as JSON
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}

const formatSeconds = (moment: string): string =>
  new Date(moment).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const referenceOf = ({ booking, ref_id: id }: LogEntry): string =>
  booking?.number ?? (id && id.length > 12 ? id.slice(0, 8) : (id ?? ""));

function detailsOf({ booking, actor, ref_id: reference, meta }: LogEntry): [name: string, value: string][] {
  return [
    ...(booking ? [["booking", booking.number] as [string, string]] : []),
    ...(reference ? [["reference id", reference] as [string, string]] : []),
    ...(actor ? [["done by", actor.name] as [string, string]] : []),
    ...flatten(meta),
  ];
}

function flatten(meta: object, prefix = ""): [string, string][] {
  return Object.entries(meta).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (value && typeof value === "object" && !Array.isArray(value)) return flatten(value, `${prefix}${name}.`);
    return [[prefix + name, typeof value === "string" ? value : JSON.stringify(value)]];
  });
}

const copy = (entry: LogEntry) =>
  copyText(JSON.stringify(entry, null, 2), {
    done: { title: "Copied", text: "The entry is in the clipboard as JSON." },
    otherwise: "Please select the entry and copy it.",
  });
