/** The queue of one night beside the calendar, and on a phone as a sheet from the foot. */
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { SectionLoading } from "../../dashboard/section-loading.tsx";
import { type QueuedHold, useQueue } from "../../lib/api/artist/holds.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { phoneQuery, useMediaQuery } from "../../lib/use-media-query.ts";
import { HoldForm, type HoldTask } from "./hold-forms.tsx";
import { QueueRow } from "./queue-row.tsx";
import styles from "./holds.module.css";

/** Opens with a night in the address, and takes it out of the address when it closes. */
export function NightPanel({ night }: Readonly<{ night: string }>) {
  const onPhone = useMediaQuery(phoneQuery);
  const address = useListAddress();
  const navigate = useNavigate();
  const close = () => void navigate(address({ night: "" }), { preventScrollReset: true });
  return (
    <Drawer
      opened
      onClose={close}
      title={formatDay(night)}
      position={onPhone ? "bottom" : "right"}
      size={onPhone ? "auto" : "24rem"}
      closeButtonProps={{ "aria-label": "Close", size: "lg" }}
      classNames={{ title: styles.title ?? "", content: styles.panel ?? "", body: styles.body ?? "" }}
    >
      <NightQueue key={night} night={night} />
    </Drawer>
  );
}

function NightQueue({ night }: Readonly<{ night: string }>) {
  const queue = useQueue(night);
  const [task, setTask] = useState<HoldTask>();
  if (queue.error && !queue.data)
    return <SectionFailed what="The holds" error={queue.error} onRetry={() => void queue.refetch()} />;
  if (!queue.data) return <SectionLoading title="Holds" lines={5} />;
  const { items } = queue.data;
  if (task) return <HoldForm night={night} queue={items} task={task} onClose={() => setTask(undefined)} />;
  return <Queue night={night} items={items} onTask={setTask} />;
}

type QueueProps = Readonly<{ night: string; items: readonly QueuedHold[]; onTask(task: HoldTask): void }>;

function Queue({ night, items, onTask }: QueueProps) {
  if (items.length === 0) return <Foot>No holds on this night any more. It is free for everyone.</Foot>;
  const nightOf = (hold: QueuedHold) => hold.nights.find((one) => one.night === night);
  const rival = items.find((hold) => nightOf(hold)?.is_challenger);
  const challenged = items.filter((hold) => nightOf(hold)?.challenge_ends_at).length;
  return (
    <>
      <ol className={styles.queue}>
        {items.map((hold, index) => {
          const own = nightOf(hold);
          return own ? (
            <QueueRow
              key={hold.id}
              hold={hold}
              night={own}
              challenger={own.challenge_ends_at && rival ? { name: rival.promoter_name, challenged } : undefined}
              isLast={index === items.length - 1}
              onTask={onTask}
            />
          ) : null;
        })}
      </ol>
      <Foot>
        Times are in {formatTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}. Promoters see only their own
        rank, and when the first hold ends.
      </Foot>
    </>
  );
}

const Foot = ({ children }: Readonly<{ children: ReactNode }>) => <p className={styles.foot}>{children}</p>;
