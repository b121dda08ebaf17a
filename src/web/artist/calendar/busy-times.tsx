import { CalendarClock, Lock } from "lucide-react";
import { type BusyTime, useBlockTime, useUnblockTime } from "../../lib/api/artist/calendar.ts";
import { errorToast } from "../../lib/attempt.ts";
import { dayIn, timeIn } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { countedNightsText } from "./block-nights.tsx";
import styles from "../../booking/calendar/calendar.module.css";

export const isBusyOn = ({ night, last_night }: BusyTime, date: string): boolean => night <= date && date <= last_night;

export const describeBusy = (busy: readonly BusyTime[]): string =>
  [...new Set(busy.map(({ kind }) => (kind === "blocked" ? "blocked" : "busy in another calendar")))].join(", ");

const Sign = ({ kind }: Pick<BusyTime, "kind">) =>
  kind === "blocked" ? (
    <Lock className={styles.sign} size={14} aria-hidden />
  ) : (
    <CalendarClock className={styles.sign} size={14} aria-hidden />
  );

export const BusySlip = ({ busy: { kind, title } }: Readonly<{ busy: BusyTime }>) => (
  <div className={styles.slip} data-kind={kind}>
    <strong>
      <Sign kind={kind} /> {kind === "blocked" ? title : "Busy elsewhere"}
    </strong>
  </div>
);

export const BusyRow = ({ busy }: Readonly<{ busy: BusyTime }>) => (
  <>
    <span className={styles.what}>
      <strong>
        <Sign kind={busy.kind} /> {busy.kind === "blocked" ? busy.title : `Busy in another calendar: ${busy.title}`}
      </strong>
      <small>{countedNightsText(busy.night, busy.last_night)}</small>
    </span>
    <span className={styles.end}>{busy.kind === "blocked" ? <UnblockButton busy={busy} /> : null}</span>
  </>
);

export function UnblockButton({ busy }: Readonly<{ busy: BusyTime }>) {
  const { id, title, starts_at, ends_at, time_zone } = busy;
  const unblock = useUnblockTime();
  const block = useBlockTime();
  const local = (at: Date | string) => `${dayIn(time_zone, new Date(at))}T${timeIn(time_zone, new Date(at))}`;
  const fail = errorToast("Not saved");
  const again = () =>
    block
      .mutateAsync({ starts_at: local(starts_at), ends_at: local(ends_at), note: title === "Blocked" ? "" : title })
      .catch(fail);
  const remove = () =>
    unblock
      .mutateAsync({ id })
      .then(() => toast({ title: "No longer blocked", action: { label: "Undo", run: () => void again() } }), fail);
  return (
    <Button tone="line" size="sm" busyLabel="One moment…" onClick={remove}>
      Unblock
    </Button>
  );
}
