import { Link } from "react-router";
import { activityTypes, type LogSort, logSorts } from "#activity/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { usePage, useSort } from "../../dashboard/lists/address.ts";
import {
  ExportButton,
  SortChoice,
  ListFilters,
  useListDays,
  useListFilters,
} from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { type LogEntry, useLog } from "../../lib/api/admin/lists.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { addDays, formatDay, isDay, localMoment, localToday } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import listStyles from "../../dashboard/lists/list.module.css";
import styles from "./logs.module.css";

export const meta = () => [{ title: "Activity Logs: Admin Panel" }];

const byType = {
  name: "type",
  label: "Type",
  all: "All",
  choices: activityTypes.map((value) => ({ value, label: value })),
};

/** "By type" has only one direction. The reverse would begin with the oldest entry. */
const orders: readonly Readonly<{ value: LogSort | ""; label: string }>[] = [
  { value: "", label: "Newest first" },
  { value: "time", label: "Oldest first" },
  { value: "type", label: "By type" },
];

export default function AdminLogsPage() {
  const { search, chosen } = useListFilters(byType);
  const sort = useSort(logSorts);
  const days = useListDays();
  const filters = { search, type: chosen, ...periodOf(days) };
  const query = useLog({ ...filters, sort, page: usePage() });
  const filtered = Object.values(filters).some(Boolean);
  return (
    <>
      <PageHead title="Activity Logs" actions={<ExportButton list="logs" filters={filters} />} />
      <ListFilters placeholder="Search message or reference id" filter={byType} days>
        <SortChoice orders={orders} />
      </ListFilters>
      <PagedBody
        query={query}
        what="Logs"
        empty={{ title: "No logs found", ...(filtered ? { text: "Try adjusting your search or filters" } : {}) }}
      >
        {(entries) => <Days entries={entries} byType={sort === "type"} />}
      </PagedBody>
    </>
  );
}

/** Returns the local days, both included, as instants. Empty without a valid day, such as "0002-11-20" while a year is typed. */
function periodOf({ from, to }: ReturnType<typeof useListDays>) {
  const startOf = (day: string) => (isDay(day) ? new Date(`${day}T00:00`).toISOString() : "");
  return { from: startOf(from), to: startOf(isDay(to) ? addDays(to, 1) : "") };
}

function Days({ entries, byType }: Readonly<{ entries: readonly LogEntry[]; byType: boolean }>) {
  const today = localToday();
  const days = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const { day } = localMoment(entry.created_at);
    const title = `${day === today ? "Today, " : ""}${formatDay(day, { year: true })}`;
    const key = byType ? `${entry.type}: ${title}` : title;
    days.set(key, [...(days.get(key) ?? []), entry]);
  }
  return (
    <div className={listStyles.sheet}>
      {[...days].map(([title, lines]) => (
        <section key={title} className={styles.day}>
          <h2>{title}</h2>
          <ul>
            {lines.map((entry) => (
              <LogLine key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function LogLine({ entry }: Readonly<{ entry: LogEntry }>) {
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
              <DetailRow key={name} label={name}>
                {value}
              </DetailRow>
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
    done: { title: "Copied", text: "The entry is copied to the clipboard as JSON." },
    otherwise: "Please select the entry and copy it.",
  });
