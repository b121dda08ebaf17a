import { activityTypes, type LogSort, logSorts } from "#activity/rules.ts";
import { usePage, useSort } from "../../dashboard/lists/address.ts";
import { ExportButton } from "../../dashboard/lists/export-button.tsx";
import { ListFilters, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import listStyles from "../../dashboard/lists/list.module.css";
import pages from "../../dashboard/lists/pages.module.css";
import { SortChoice } from "../../dashboard/lists/sort-choice.tsx";
import { type LogEntry, useLog } from "../../lib/api/admin-lists.ts";
import { formatDay, localMoment, localToday } from "../../lib/format/dates.ts";
import type { Route } from "./+types/logs-page.ts";
import { LogLine } from "./log-line.tsx";
import styles from "./logs.module.css";

export const meta: Route.MetaFunction = () => [{ title: "Activity Logs: Admin Panel" }];

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
  const query = useLog({ search, type: chosen, sort, page: usePage() });
  const filtered = search !== "" || chosen !== "";
  return (
    <>
      <div className={listStyles.head}>
        <h1>Activity Logs</h1>
        <div className={pages.actions}>
          <ExportButton list="logs" filters={{ search, type: chosen }} />
        </div>
      </div>
      <ListFilters placeholder="Search message or reference id" filter={byType}>
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
