import { Home, Link2 } from "lucide-react";
import { useId } from "react";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { useNow } from "../../../booking/use-now.ts";
import { formatPlatformDate, formatMomentAlone, formatRelativeMoment } from "../../../lib/format/dates.ts";
import { Button } from "../../../ui/button.tsx";
import type { useComponents } from "./use-components.ts";
import styles from "./components.module.css";

export type ComponentItem = NonNullable<ReturnType<typeof useComponents>["data"]>["items"][number];

const badges = {
  works: { tone: "green", text: "Works", done: 100 },
  slow: { tone: "gold", text: "Slow", done: 50 },
  failing: { tone: "cherry", text: "Failing", done: 0 },
  not_set_up: { tone: "", text: "Not set up", done: 0 },
  untested: { tone: "", text: "Not tested", done: 0 },
} as const satisfies Record<ComponentItem["status"], object>;

type Props = Readonly<{
  item: ComponentItem;
  isTesting: boolean;
  isBusy: boolean;
  onTest(sendEmail?: boolean): void;
}>;

export function ComponentRow({ item, isTesting, isBusy, onTest }: Props) {
  const name = useId();
  const { tone, text, done } = badges[item.status];
  const Icon = item.mode === "embedded" ? Home : Link2;
  return (
    <li className={styles.row} data-status={item.status} aria-labelledby={name}>
      <div className={styles.name}>
        <h2 id={name}>{item.label}</h2>
        <span>{item.product}</span>
        {item.in_use_since ? <span>since {formatPlatformDate(item.in_use_since)}</span> : null}
      </div>
      <span className={styles.mode}>
        {item.status === "not_set_up" ? null : (
          <>
            <Icon size={16} strokeWidth={1.6} aria-hidden /> {item.mode}
          </>
        )}
      </span>
      <span className={styles.status}>
        <span className={`badge ${tone}`} data-done={done}>
          {text}
        </span>
      </span>
      <span className={styles.when}>
        <span className="sr">Last success: </span>
        {item.last_success_at ? formatMomentAlone(item.last_success_at) : <span className="quiet">never</span>}
      </span>
      <div className={styles.words}>
        {item.message ? <p>{item.message}</p> : null}
        <Queue queue={item.queue} />
        {item.last_failure_at ? (
          <p className="small quiet">Last failure: {formatRelativeMoment(item.last_failure_at)}.</p>
        ) : null}
        {item.details ? (
          <details>
            <summary>Technical details</summary>
            <p className="small">{item.details}</p>
          </details>
        ) : null}
      </div>
      <div className={styles.act}>
        {item.status === "not_set_up" ? null : (
          <Button
            tone="line"
            size="sm"
            aria-label={`Test ${item.label}`}
            busy={isTesting}
            busyLabel="Testing..."
            aria-disabled={isBusy || undefined}
            onClick={() => (isBusy ? undefined : onTest())}
          >
            Test
          </Button>
        )}
        {item.name === "email" && item.mode === "external" ? (
          <Button
            tone="line"
            size="sm"
            aria-disabled={isBusy || undefined}
            onClick={() => (isBusy ? undefined : onTest(true))}
          >
            Email me
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function Queue({ queue }: Readonly<{ queue: ComponentItem["queue"] }>) {
  const now = useNow(60_000);
  if (!queue || queue.waiting === 0) return null;
  const minutes = queue.oldest_at ? Math.round((now.getTime() - new Date(queue.oldest_at).getTime()) / minuteMs) : 0;
  return (
    <p>
      {queue.waiting} waiting, the oldest for {describeMinutes(Math.max(0, minutes))}.
    </p>
  );
}

function describeMinutes(minutes: number): string {
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
