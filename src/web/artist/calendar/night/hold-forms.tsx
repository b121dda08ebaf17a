import { Textarea, TextInput } from "@mantine/core";
import { formatMoney } from "#platform/money.rules.ts";
import { DialogForm, useApiForm } from "../../../dashboard/forms/api-form.tsx";
import { type QueuedHold, useQueueActions } from "../../../lib/api/artist/holds.ts";
import { currentTime } from "../../../lib/clock.ts";
import { dayIn, formatDay, formatDeadline, timeIn } from "../../../lib/format/dates.ts";
import { toast } from "../../../lib/toasts.ts";
import { HoldEndFields, holdEndRules, readHoldEnd } from "../hold-end-fields.tsx";
import styles from "../holds.module.css";

export type HoldTask = Readonly<{ hold: QueuedHold }> &
  (Readonly<{ kind: "convert" | "extend" | "release" }> | Readonly<{ kind: "move"; by: -1 | 1 }>);

type Props<Task extends HoldTask = HoldTask> = Readonly<{
  night: string;
  queue: readonly QueuedHold[];
  task: Task;
  timeZone: string;
  onClose(): void;
}>;

export function HoldForm({ task, ...props }: Props) {
  if (task.kind === "convert") return <ConvertForm {...props} task={task} />;
  if (task.kind === "extend") return <ExtendForm {...props} task={task} />;
  if (task.kind === "move") return <MoveForm {...props} task={task} />;
  return <ReleaseForm {...props} task={task} />;
}

const endOf = ({ hold }: HoldTask, night: string) => {
  const own = hold.nights.find((one) => one.night === night);
  return own?.challenge_ends_at ?? own?.expires_at;
};

function ConvertForm({ night, task, onClose }: Props) {
  const { convert } = useQueueActions();
  const { id, promoter_name: name, by_hand: isByHand, email, deposit } = task.hold;
  const needsEmail = isByHand && !email;
  const until = formatDeadline(endOf(task, night) ?? currentTime());
  const form = useApiForm({
    initialValues: { email: "" },
    validate: { email: (text) => (text || !needsEmail ? undefined : "Enter the promoter's email address.") },
    send: async (values) => {
      const { booked } = await convert.mutateAsync({ id, night, ...(needsEmail ? values : {}) });
      toast({
        title: booked ? "Booked" : deposit ? "Link to pay sent" : "Request sent",
        text: `${name}, ${formatDay(night)}`,
      });
      onClose();
    },
  });
  return (
    <DialogForm form={form} submit="Turn into a booking" busyLabel="Sending…" onClose={onClose}>
      <h3 className={styles.task}>Turn the hold of {name} into a booking?</h3>
      <p>
        {deposit
          ? `We email ${name}${email ? ` at ${email}` : ""} the link to pay the deposit of ${formatMoney(deposit.cents, deposit.currency)}, until ${until}. The night is booked when it is paid. Extend the hold first if that is too soon.`
          : isByHand
            ? `You require no deposit: we email ${name}${email ? ` at ${email}` : ""} to confirm a booking request. Then you can accept it, which books the night.`
            : `You require no deposit: this books the night now, and all other holds of it end. Do it when ${name} has agreed. We send the contract to both of you within 24 hours.`}
      </p>
      {needsEmail ? (
        <TextInput label={`Email of ${name}`} type="email" maxLength={254} autoFocus {...form.field("email")} />
      ) : null}
    </DialogForm>
  );
}

function ExtendForm({ night, task, timeZone, onClose }: Props) {
  const { extend } = useQueueActions();
  const { id, promoter_name: name, nights } = task.hold;
  const end = new Date(endOf(task, night) ?? currentTime());
  const form = useApiForm({
    initialValues: { until: dayIn(timeZone, end), untilTime: timeIn(timeZone, end) },
    validate: holdEndRules(timeZone),
    fallback: "until",
    send: (values) => extend.mutateAsync({ id, until: readHoldEnd(values, timeZone) }),
    done: { title: "Extended", text: `${name}, ${formatDay(night)}` },
    onClose,
  });
  return (
    <DialogForm form={form} submit="Extend hold" busyLabel="Saving…" onClose={onClose}>
      <h3 className={styles.task}>When does the hold of {name} end?</h3>
      {nights.length > 1 ? <p>This applies to all nights of the hold.</p> : null}
      <HoldEndFields form={form} timeZone={timeZone} autoFocus />
    </DialogForm>
  );
}

function MoveForm({ night, queue, task, onClose }: Props<Extract<HoldTask, { kind: "move" }>>) {
  const { reorder } = useQueueActions();
  const { id, promoter_name: name } = task.hold;
  const ids = queue.map((hold) => hold.id);
  const at = ids.indexOf(id);
  const other = queue[at + task.by];
  const direction = task.by < 0 ? "up" : "down";
  const form = useApiForm({
    initialValues: { reason: "" },
    validate: { reason: (reason) => (reason ? undefined : "Give a reason.") },
    fallback: "reason",
    send: ({ reason }) =>
      reorder.mutateAsync({ night, ids: ids.toSpliced(at, 1).toSpliced(at + task.by, 0, id), reason }),
    done: { title: `Moved ${direction}`, text: `${name}, ${formatDay(night)}` },
    onClose,
  });
  return (
    <DialogForm form={form} submit={`Move ${direction}`} busyLabel="Moving…" onClose={onClose}>
      <h3 className={styles.task}>
        Move {name} {direction}?
      </h3>
      <p>{other ? `${name} and ${other.promoter_name} switch positions.` : `${name} switches positions.`}</p>
      <Textarea
        label="Reason"
        description="We log it and send it to the promoters. For a hold that you entered by hand, we only log it."
        rows={3}
        maxLength={300}
        autoFocus
        {...form.field("reason")}
      />
    </DialogForm>
  );
}

function ReleaseForm({ night, queue, task, onClose }: Props) {
  const { release } = useQueueActions();
  const { id, promoter_name: name, by_hand: isByHand } = task.hold;
  const form = useApiForm({
    initialValues: {},
    send: () => release.mutateAsync({ id, nights: [night] }),
    done: { title: "Released", text: `${name}, ${formatDay(night)}` },
    onClose,
  });
  return (
    <DialogForm form={form} submit="Release hold" busyLabel="Releasing…" tone="danger" focusCancel onClose={onClose}>
      <h3 className={styles.task}>Release the hold of {name}?</h3>
      <p>
        {queue.length > 1 ? "The next hold moves up. " : "The night is free for everyone. "}
        {isByHand ? null : `We email ${name} now.`}
      </p>
    </DialogForm>
  );
}
