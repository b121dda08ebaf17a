import { useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { ListFailed } from "../../../dashboard/lists/list-states.tsx";
import settings from "../../../dashboard/settings/settings.module.css";
import { SettingsHead } from "../../../dashboard/settings/settings-page.tsx";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { useComponents, useTestComponent } from "./use-components.ts";
import { componentsTab, platformTabs } from "../settings-tabs.ts";
import type { Route } from "./+types/components-page.ts";
import { BackupPanel } from "./backup-panel.tsx";
import { ComponentRow, type ComponentItem } from "./component-row.tsx";
import { ComponentsLoading } from "./components-loading.tsx";
import styles from "./components.module.css";
import { formatRelativeMoment } from "../../../lib/format/dates.ts";

export const meta: Route.MetaFunction = () => [{ title: "Components: Admin Panel" }];

export default function ComponentsPage() {
  const { data, error, isFetching, refetch } = useComponents();
  return (
    <div className={settings.page}>
      <SettingsHead
        title="Platform Settings"
        tabs={platformTabs}
        more={componentsTab}
        current={componentsTab.name}
        address={paths.admin.settings}
      />
      {data ? (
        <>
          <FailingNote items={data.items} />
          <BackupPanel backup={data.backup} />
          <Components items={data.items} />
        </>
      ) : error && !isFetching ? (
        <ListFailed what="The components" error={error} onRetry={() => void refetch()} />
      ) : (
        <ComponentsLoading />
      )}
    </div>
  );
}

function FailingNote({ items }: Readonly<{ items: readonly ComponentItem[] }>) {
  const failing = items.filter(({ status }) => status === "failing").map(({ label }) => label);
  if (failing.length === 0) return null;
  const [only] = failing;
  return (
    <p className={`note cherry ${styles.above}`} role="status">
      <strong>{failing.length === 1 ? `${only}: failing.` : `Failing: ${failing.join(", ")}.`}</strong> The rest works.
      We try again every minute.
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
