import { splitCommission } from "#payments/rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { Division } from "./cancellation/cancellation.rules.ts";
import type { BookingStatus } from "./flow.rules.ts";

/** The hours for the other party to answer, but no longer than until the show begins. Then the policy applies. */
export const agreementHours = 72;

export const agreementReasonBounds = { min: 10, max: 1_000 } as const;

export type AgreementSide = "promoter" | "artist";
/** The outcome of a proposal. `overtaken`: the booking ended otherwise. */
export type AgreementOutcome = "accepted" | "refused" | "withdrawn" | "expired" | "overtaken";

const openStatuses: readonly BookingStatus[] = ["deposit_paid", "contract_sent", "contract_signed"];

export const mayAgree = (booking: Readonly<{ status: BookingStatus; starts_at: Date }>, now: Date): boolean =>
  openStatuses.includes(booking.status) && booking.starts_at > now;

export const expiryOf = (now: Date, startsAt: Date): Date =>
  new Date(Math.min(now.getTime() + agreementHours * hourMs, startsAt.getTime()));

/** Divides held money (cents) with a refund of `refund`, and takes the commission from the artist's part. Throws RangeError if `refund` exceeds `held`. */
export function agreedDivision(held: number, refund: number, commissionBps: number): Division {
  if (refund > held) throw new RangeError(`${refund} is more than the ${held} that are held`);
  const { artist, commission } = splitCommission(held - refund, commissionBps);
  return { refund, artist, commission };
}

/** A proposal was made or has ended. After an acceptance the status change notifies the parties. */
export type ForceMajeureChanged = {
  bookingId: string;
  proposalId: string;
  step: "proposed" | Exclude<AgreementOutcome, "overtaken">;
};
