import { activityTypes } from "#activity/rules.ts";
import { usePage } from "../../dashboard/lists/address.ts";
import { ExportButton } from "../../dashboard/lists/export-button.tsx";
import { ListFilters, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../../dashboard/lists/paged-body.tsx";
import listStyles from "../../dashboard/lists/list.module.css";
import pages from "../../dashboard/lists/pages.module.css";
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

export default function AdminLogsPage() {
  const { search, chosen } = useListFilters(byType);
  const query = useLog({ search, type: chosen, page: usePage() });
  const filtered = search !== "" || chosen !== "";
  return (
    <>
      <div className={listStyles.head}>
        <h1>Activity Logs</h1>
        <div className={pages.actions}>
          <ExportButton list="logs" filters={{ search, type: chosen }} />
        </div>
      </div>
      <ListFilters placeholder="Search message or reference id" filter={byType} />
      <PagedBody
        query={query}
        what="Logs"
        empty={{ title: "No logs found", ...(filtered ? { text: "Try adjusting your search or filters" } : {}) }}
      >
        {(entries) => <Days entries={entries} />}
      </PagedBody>
    </>
  );
}

function Days({ entries }: Readonly<{ entries: readonly LogEntry[] }>) {
  const days = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const { day } = localMoment(entry.created_at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const today = localToday();
  return (
    <div className={listStyles.sheet}>
      {[...days].map(([day, lines]) => (
        <section key={day} className={styles.day}>
          <h2>
            {day === today ? "Today, " : ""}
            {formatDay(day, { year: true })}
          </h2>
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
