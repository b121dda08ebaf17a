import { hourMs } from "#platform/time/durations.rules.ts";
import type { CompletionBlock } from "./completion.rules.ts";
import type { BookingStatus } from "./flow.rules.ts";

export const deadlineKinds = [
  "hold_ends",
  "answer_due",
  "contract_due",
  "signatures_due",
  "balance_due",
  "balance_overdue",
  "balance_decision",
  "show_starts",
  "completes",
] as const;

/** A deadline that has passed remains in the list, because the page displays it. */
export type Deadline = Readonly<{ kind: (typeof deadlineKinds)[number]; at: Date }>;

/** The hours after the deposit within which the contract must be sent. */
const contractDueHours = 24;
/** The hours after its end when a show is completed automatically, unless the promoter confirms earlier. */
export const completionHours = 48;
export const automaticCompletionAt = (endsAt: Date): Date => hoursAfter(endsAt, completionHours);
/** Returns the end of the time to object to an attested signature: `end`, or the automatic completion of the show if that is earlier and nothing blocks it. */
export function objectionEndBefore(
  end: Date,
  { ends_at: endsAt }: Readonly<{ ends_at: Date }>,
  { now, block }: Readonly<{ now: Date; block: CompletionBlock | null }>,
): Date {
  const completesAt = automaticCompletionAt(endsAt);
  return block === null && completesAt > now && completesAt < end ? completesAt : end;
}
/** A balance still unpaid this number of days after the event ends the booking as the promoter's breach. */
export const unpaidBalanceDays = 30;
/** The days before that end when the balance is requested for the last time. */
export const lastRequestDays = 7;
/** Returns when a booking with an unpaid balance ends: 30 days after its show and after the first request. Null if the balance could not be paid for a time. */
export const unpaidEndOf = (
  booking: Readonly<{ ends_at: Date; balance_unpayable_at: Date | null }>,
  requestedAt: Date | null,
): Date | null =>
  booking.balance_unpayable_at === null
    ? hoursAfter(new Date(Math.max(booking.ends_at.getTime(), requestedAt?.getTime() ?? 0)), unpaidBalanceDays * 24)
    : null;

/** The booking's columns, the end of the due day as `balanceDueAt`, and the end of the signing window as `signingEndsAt`. */
export type DeadlineInput = Readonly<{
  status: BookingStatus;
  answer_due_at: Date | null;
  deposit_paid_at: Date | null;
  starts_at: Date;
  ends_at: Date;
  holdEndsAt: Date | null;
  signingEndsAt: Date | null;
  balanceOpen: boolean;
  balanceDueAt: Date;
  /** The times when the balance is overdue and when the artist may decide. Null if the balance is not requested, or no longer expected. */
  balanceOverdueAt: Date | null;
  decisionAt: Date | null;
  isBlocked: boolean;
}>;

export function deadlinesOf(input: DeadlineInput, now: Date): Deadline[] {
  const { status, starts_at: startsAt, ends_at: endsAt } = input;
  if (status === "completed" || status === "canceled") return [];
  const found: (Deadline | false | null | undefined)[] = [
    input.holdEndsAt !== null && { kind: "hold_ends", at: input.holdEndsAt },
    status === "initiated" && input.answer_due_at && { kind: "answer_due", at: input.answer_due_at },
    status === "deposit_paid" &&
      input.deposit_paid_at !== null && {
        kind: "contract_due",
        at: hoursAfter(input.deposit_paid_at, contractDueHours),
      },
    status === "contract_sent" && input.signingEndsAt !== null && { kind: "signatures_due", at: input.signingEndsAt },
    // A balance cannot be paid before both have signed, so one that is due immediately is not due yet.
    input.balanceOpen &&
      (status === "contract_signed" || (status !== "initiated" && input.balanceDueAt > now)) && {
        kind: isLate(input, now) ? "balance_overdue" : "balance_due",
        at: input.balanceDueAt,
      },
    input.balanceOpen &&
      isLate(input, now) &&
      startsAt > now &&
      input.decisionAt && { kind: "balance_decision", at: input.decisionAt },
    startsAt > now && { kind: "show_starts", at: startsAt },
    status === "contract_signed" &&
      !input.balanceOpen &&
      !input.isBlocked &&
      endsAt <= now && { kind: "completes", at: automaticCompletionAt(endsAt) },
  ];
  return found
    .filter((one): one is Deadline => Boolean(one))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

const isLate = ({ balanceOverdueAt: at }: DeadlineInput, now: Date): boolean => Boolean(at && at <= now);

const hoursAfter = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * hourMs);
