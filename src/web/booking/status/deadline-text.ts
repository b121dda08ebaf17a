import { secondMs, hourMs } from "#platform/time/durations.rules.ts";
import { spanBetween } from "../../lib/format/time-left.ts";
import type { BookingResponse } from "./progress.ts";

type Deadline = BookingResponse["deadlines"][number];
type Viewer = BookingResponse["viewer"];
type Wording = Readonly<{ ahead(left: string, viewer: Viewer): string; over(since: string, viewer: Viewer): string }>;

const releaser = (viewer: Viewer) => (viewer === "artist" ? "You" : "The artist");

const wordings: Readonly<Record<Deadline["kind"], Wording>> = {
  hold_ends: { ahead: (left) => `Held for another ${left}`, over: () => "The hold is ending" },
  answer_due: { ahead: (left) => `Answer due in ${left}`, over: () => "The time to answer is over" },
  contract_due: { ahead: (left) => `Contract due in ${left}`, over: (since) => `Contract overdue by ${since}` },
  signatures_due: { ahead: (left) => `Signatures due in ${left}`, over: (since) => `Signatures overdue by ${since}` },
  balance_due: { ahead: (left) => `Balance due in ${left}`, over: () => "Balance due now" },
  balance_overdue: { ahead: (left) => `Balance due in ${left}`, over: (since) => `Balance overdue by ${since}` },
  balance_decision: {
    ahead: (left, viewer) => `${releaser(viewer)} may release the date in ${left}`,
    over: (_since, viewer) => `${releaser(viewer)} may release the date`,
  },
  show_starts: { ahead: (left) => `Show in ${left}`, over: () => "The show has begun" },
  completes: { ahead: (left) => `Completes in ${left}`, over: () => "Completes shortly" },
};

/** Returns the deadlines without a balance that is due now, because the status message displays it. */
export const openDeadlines = ({ deadlines }: Pick<BookingResponse, "deadlines">, now: Date): readonly Deadline[] =>
  deadlines.filter(({ kind, at }) => kind !== "balance_due" || new Date(at) > now);

type BookingViewer = Readonly<{ viewer: Viewer; time_zone?: string }>;

/** Returns "Contract due in 18 h". Days are calendar days of the booking's zone. The last second before a deadline counts as the deadline. */
export function describeDeadline(
  { kind, at }: Deadline,
  now: Date,
  { viewer, time_zone: zone }: BookingViewer,
): string {
  const due = new Date(at);
  const left = due.getTime() - now.getTime();
  return left >= secondMs
    ? wordings[kind].ahead(formatSpan(now, due, zone), viewer)
    : wordings[kind].over(formatSpan(due, new Date(Math.max(now.getTime(), due.getTime() + secondMs)), zone), viewer);
}

export function describeAnswerTime(until: Date | string, now: Date): string {
  const end = new Date(until);
  return end > now ? `${formatSpan(now, end)} left to answer` : "the time to answer is over";
}

/** Returns "12:04 min" below an hour, "18 h" below two days, then the calendar days: "12 days". */
export function formatSpan(from: Date, to: Date, zone?: string): string {
  const ms = to.getTime() - from.getTime();
  if (ms < hourMs) {
    const seconds = Math.floor(ms / 1_000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
  }
  const { count, unit } = spanBetween(from, to, zone);
  return unit === "hour" ? `${count} h` : `${count} days`;
}
