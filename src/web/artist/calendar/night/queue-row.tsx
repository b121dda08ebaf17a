import { Link } from "react-router";
import { rankName } from "#calendar/queue.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { Rank } from "../../../booking/calendar/calendar-entries.tsx";
import { useNow } from "../../../booking/use-now.ts";
import { ActionsMenu, DestructiveItem, DialogItem } from "../../../dashboard/lists/list-cells.tsx";
import type { QueuedHold } from "../../../lib/api/artist/holds.ts";
import { formatMoment } from "../../../lib/format/dates.ts";
import { timeLeft } from "../../../lib/format/time-left.ts";
import type { HoldTask } from "./hold-forms.tsx";
import styles from "../holds.module.css";

type Night = QueuedHold["nights"][number];

type Props = Readonly<{
  hold: QueuedHold;
  night: Night;
  challenger: Readonly<{ name: string; challenged: number }> | undefined;
  isLast: boolean;
  onTask(task: HoldTask): void;
}>;

export function QueueRow({ hold, night, challenger, isLast, onTask }: Props) {
  const { promoter_name: name, event_type, event_location, event_time, note } = hold;
  const rank = night.rank ?? 1;
  const { can } = night;
  return (
    <li>
      <Rank rank={rank} />
      <div className={styles.who}>
        <strong>{name}</strong>
        <small>
          {event_type}, {event_location}, {event_time}
        </small>
        {note ? <small>“{note}”</small> : null}
        <small>
          {capitalized(rankName(rank))} hold, {timeLeft(night.challenge_ends_at ?? night.expires_at)}
        </small>
        <HoldStatus hold={hold} night={night} />
      </div>
      {can.convert || can.extend || can.move || can.release ? (
        <ActionsMenu name={name}>
          {can.convert ? (
            <DialogItem onClick={() => onTask({ kind: "convert", hold })}>Turn into a booking</DialogItem>
          ) : null}
          {can.extend ? <DialogItem onClick={() => onTask({ kind: "extend", hold })}>Extend</DialogItem> : null}
          {can.move && rank > 1 ? (
            <DialogItem onClick={() => onTask({ kind: "move", hold, by: -1 })}>Move up</DialogItem>
          ) : null}
          {can.move && !isLast ? (
            <DialogItem onClick={() => onTask({ kind: "move", hold, by: 1 })}>Move down</DialogItem>
          ) : null}
          {can.release ? (
            <DestructiveItem label="Release hold" onClick={() => onTask({ kind: "release", hold })} />
          ) : null}
        </ActionsMenu>
      ) : null}
      {challenger && rank === 1 ? (
        <Deadline
          title={`Challenged by ${challenger.name}`}
          end={new Date(night.challenge_ends_at ?? night.expires_at)}
          hours={hold.challenge_hours}
          outcome={outcomeOf(name, challenger)}
        />
      ) : null}
      {night.must_pay ? (
        <Deadline
          title="Must pay now"
          end={new Date(night.expires_at)}
          hours={24}
          outcome={`${name} must book by then. Otherwise, this hold ends and the next one moves up.`}
        />
      ) : null}
    </li>
  );
}

const outcomeOf = (first: string, { name, challenged }: NonNullable<Props["challenger"]>) =>
  challenged === 1
    ? `${first} must book by then. Otherwise, ${name} moves up to first.`
    : `${first} can book now, each hold behind it a share of the time later. The first to book gets the night. If none does, ${name} moves up to first.`;

function HoldStatus({ hold, night }: Pick<Props, "hold" | "night">) {
  const { deposit } = hold;
  if ((night.being_booked || night.requested) && night.booking_id)
    return (
      <span>
        {night.being_booked
          ? "Being booked now."
          : `Can pay the deposit until ${formatMoment(night.challenge_ends_at ?? night.expires_at)}.`}{" "}
        <Link to={paths.artistArea.booking(night.booking_id)}>View booking</Link>
      </span>
    );
  if (night.busy_elsewhere) return <span>Cannot be booked: your other calendar is busy at this time.</span>;
  if (night.is_challenger)
    return <span>{deposit ? `Ready to pay ${formatMoney(deposit.cents, deposit.currency)}` : "Ready to book"}</span>;
  if (night.challenge_ends_at)
    return (
      <span>
        Challenged, until {formatMoment(night.challenge_ends_at)}
        {night.pays_from ? `. Can ${deposit ? "pay" : "book"} from ${formatMoment(night.pays_from)}` : ""}
      </span>
    );
  return <span>Runs until {formatMoment(night.expires_at)}</span>;
}

type DeadlineProps = Readonly<{ title: string; end: Date; hours: number; outcome: string }>;

function Deadline({ title, end, hours, outcome }: DeadlineProps) {
  const now = useNow(1_000);
  const left = Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1_000));
  return (
    <div className={styles.deadline}>
      <strong>{title}</strong>
      <p>
        <b aria-hidden>{countdownText(left)}</b> <span aria-hidden>left</span>
        <span className="sr">Until {formatMoment(end)}. </span>
        <span className="sr" role="status">
          {spokenTimeLeft(left)}
        </span>
      </p>
      <span className={styles.bar} aria-hidden>
        <i style={{ width: `${Math.min(100, (left / (hours * 3_600)) * 100)}%` }} />
      </span>
      <small>
        By {formatMoment(end)}. {outcome}
      </small>
    </div>
  );
}

const two = (count: number) => String(count).padStart(2, "0");

export const countdownText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

/** The text changes at one hour, ten minutes and one minute, because a screen reader reads each change. */
export function spokenTimeLeft(seconds: number): string {
  if (seconds <= 60) return "1 minute left";
  if (seconds <= 600) return "10 minutes left";
  return seconds <= 3_600 ? "1 hour left" : "";
}
