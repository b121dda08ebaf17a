import { hourMs } from "#platform/time/durations.rules.ts";

export const answerHours = 72;

export const answerDueAt = (requestedAt: Date, startsAt: Date): Date =>
  new Date(Math.min(requestedAt.getTime() + answerHours * hourMs, startsAt.getTime()));

/** Returns true if the artist may still accept or decline. Requests with a deposit need no answer, because the first paid deposit books the date. */
export const isAwaitingResponse = (booking: Readonly<{ status: string; answer_due_at?: Date | null }>, now: Date) =>
  booking.status === "initiated" && Boolean(booking.answer_due_at && booking.answer_due_at > now);

/** Returns true until the promoter has confirmed a request that they did not send. The artist cannot accept it before. Holds that the artist entered have no browser, and wait for guests too: the artist must not learn if an account has the address. */
export const awaitsConfirmation = (
  booking: Readonly<{
    needs_confirmation: boolean;
    promoter_user_id: string | null;
    email_proven_at: Date | null;
    request_browser: string | null;
  }>,
): boolean =>
  booking.needs_confirmation ||
  (booking.promoter_user_id === null && booking.email_proven_at === null && booking.request_browser === null);
