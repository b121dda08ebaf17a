/** A request without a deposit: until when its artist may answer it, and what the artist would get (decision 210). */
import { splitCommission } from "#payments/rules.ts";

/** The artist has so many hours to accept or decline (design, section 12: requireDeposit off). */
export const answerHours = 72;

const hourMs = 3_600_000;

/** The end of the time to answer: 72 hours after the request, or the start of the show where that comes first. */
export const answerDueAt = (requestedAt: Date, startsAt: Date): Date =>
  new Date(Math.min(requestedAt.getTime() + answerHours * hourMs, startsAt.getTime()));

/** Whether the artist may still accept or decline. Requests with a deposit are not answered: whoever pays first has the date. */
export const isAnswerable = (booking: Readonly<{ status: string; answer_due_at?: Date | null }>, now: Date): boolean =>
  booking.status === "initiated" && Boolean(booking.answer_due_at && booking.answer_due_at > now);

export function earningsOf(booking: Readonly<{ fee_cents: number; commission_bps: number }>) {
  const { commission, artist } = splitCommission(booking.fee_cents, booking.commission_bps);
  return { gross: booking.fee_cents, commission, net: artist };
}
