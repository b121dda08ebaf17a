import { hourMs } from "#platform/time/durations.rules.ts";

export const noShowTextBounds = { min: 10, max: 1_000 } as const;

export const noShowStatementBounds = { min: 10, max: 2_000 } as const;

export type NoShowState = "none" | "open" | "decided";

/** Hours after the end of an event in which a no-show can be reported. No payout is due earlier. */
export const noShowReportHours = 24;

export const noShowReportEndsAt = (endsAt: Date): Date => new Date(endsAt.getTime() + noShowReportHours * hourMs);

export const payableFrom = ({ ends_at: endsAt }: Readonly<{ ends_at: Date }>, releasedAt: Date): Date =>
  new Date(Math.max(releasedAt.getTime(), noShowReportEndsAt(endsAt).getTime()));

export const mayReportNoShow = (
  booking: Readonly<{ status: string; starts_at: Date; ends_at: Date }>,
  report: NoShowState,
  now: Date,
): boolean =>
  booking.status === "contract_signed" &&
  report === "none" &&
  booking.starts_at <= now &&
  now < noShowReportEndsAt(booking.ends_at);

export const mayDecideNoShow = (booking: Readonly<{ status: string }>, report: NoShowState): boolean =>
  booking.status === "contract_signed" && report === "open";

export const mayStateNoShow = (booking: Readonly<{ status: string }>, report: NoShowState, isStated: boolean) =>
  mayDecideNoShow(booking, report) && !isStated;

/** Published when a no-show is reported or decided. Amounts are cents. `settled`: the decision has moved the money. */
export type NoShowReported = { bookingId: string; note: string };
export type NoShowDecided = {
  bookingId: string;
  released: number;
  refunded: number;
  decision: string;
  settled?: boolean;
};
