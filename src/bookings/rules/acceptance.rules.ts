import { hourMs } from "#platform/time/durations.rules.ts";

/** The hours for the artist to accept or decline (design, section 12: requireDeposit off). */
export const answerHours = 72;

export const answerDueAt = (requestedAt: Date, startsAt: Date): Date =>
  new Date(Math.min(requestedAt.getTime() + answerHours * hourMs, startsAt.getTime()));

/** Returns true if the artist may still accept or decline. Requests with a deposit need no answer, because the first paid deposit books the date. */
export const isAwaitingResponse = (booking: Readonly<{ status: string; answer_due_at?: Date | null }>, now: Date) =>
  booking.status === "initiated" && Boolean(booking.answer_due_at && booking.answer_due_at > now);
