import { useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { ListFailed } from "../../../dashboard/lists/list-states.tsx";
import { Loaded } from "../../../dashboard/section-failed.tsx";
import { SettingsHead } from "../../../dashboard/settings/settings-page.tsx";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { formatBytes } from "../../../lib/format/bytes.ts";
import { formatMomentAlone, formatRelativeMoment } from "../../../lib/format/dates.ts";
import { LoadingStatus, Skeleton } from "../../../ui/states/skeleton.tsx";
import { componentsTab, platformTabs } from "../settings-tabs.ts";
import { type ComponentItem, ComponentRow } from "./component-row.tsx";
import { useComponents, useTestComponent } from "./use-components.ts";
import settings from "../../../dashboard/settings/settings.module.css";
import styles from "./components.module.css";

export const meta = () => [{ title: "Components: Admin Panel" }];

export default function ComponentsPage() {
  const query = useComponents();
  return (
    <div className={settings.page}>
      <SettingsHead
        title="Platform Settings"
        tabs={platformTabs}
        more={componentsTab}
        current={componentsTab.name}
        address={paths.admin.settings}
      />
      <Loaded query={query} what="The components" loading={<ComponentsLoading />} Failed={ListFailed}>
        {({ items, backup }) => (
          <>
            <FailingNote items={items} />
            <BackupPanel backup={backup} />
            <Components items={items} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function FailingNote({ items }: Readonly<{ items: readonly ComponentItem[] }>) {
  const failing = items.filter(({ status }) => status === "failing").map(({ label }) => label);
  if (failing.length === 0) return null;
  const [only] = failing;
  return (
    <p className={`note cherry ${styles.above}`} role="status">
      <strong>{failing.length === 1 ? `${only}: failing.` : `Failing: ${failing.join(", ")}.`}</strong> We try again
      every minute.
    </p>
  );
}

function Components({ items }: Readonly<{ items: readonly ComponentItem[] }>) {
  const test = useTestComponent();
  const [tested, setTested] = useState<string>();
  const run = (item: ComponentItem, sendEmail?: boolean) => {
    setTested(item.label);
    test.mutate({ name: item.name, ...(sendEmail ? { send_email: true } : {}) });
  };
  return (
    <>
      <div className={styles.table}>
        <div className={styles.heads} aria-hidden>
          {["Component", "Runs", "Status", "Last success", "Message", ""].map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
        <ul>
          {items.map((item) => (
            <ComponentRow
              key={item.name}
              item={item}
              isTesting={test.isPending && test.variables.name === item.name}
              isBusy={test.isPending}
              onTest={(sendEmail) => run(item, sendEmail)}
            />
          ))}
        </ul>
      </div>
      <div className={styles.result} role="status">
        {test.isPending || !tested ? null : test.error ? (
          <p className="small">
            <span className="badge cherry">{tested} could not be tested</span> {apiErrorOf(test.error).message}
          </p>
        ) : test.data ? (
          <p className="small">
            <span className={`badge ${test.data.ok ? "green" : "cherry"}`} data-done={test.data.ok ? 100 : 0}>
              {tested}: {test.data.ok ? "works" : "fails"}
            </span>{" "}
            {test.data.message} Tested in {formatSeconds(test.data.took_ms)}, {formatRelativeMoment(test.data.at)}.
          </p>
        ) : null}
        <p className="small quiet">Tests never change anything else.</p>
      </div>
    </>
  );
}

const formatSeconds = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

const ComponentsLoading = () => (
  <>
    <LoadingStatus what="the components" />
    <div className={styles.backup} aria-hidden>
      {[0, 1, 2].map((part) => (
        <div key={part}>
          <Skeleton height="0.8rem" width="60%" />
          <Skeleton height="2rem" width="70%" mt="0.5rem" />
          <Skeleton height="0.8rem" width="90%" mt="0.5rem" />
        </div>
      ))}
    </div>
    <div className={styles.table} aria-hidden>
      <ul>
        {Array.from({ length: 9 }, (_, row) => (
          <li key={row} className={styles.row}>
            <Skeleton height="1rem" width="8rem" />
          </li>
        ))}
      </ul>
    </div>
  </>
);

type Backup = NonNullable<ReturnType<typeof useComponents>["data"]>["backup"];

function BackupPanel({ backup }: Readonly<{ backup: Backup }>) {
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
        <p className={styles.value}>{verified ? formatMomentAlone(verified) : "None"}</p>
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
        <p className={styles.value}>{next ? formatMomentAlone(next) : "None"}</p>
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
