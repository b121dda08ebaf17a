import type { Tx } from "#platform/db/index.ts";
import { awaitsConfirmation } from "../rules/acceptance.rules.ts";
import { lockBooking } from "../store.ts";
import { cancel } from "./transitions.ts";

/** Cancels an unpaid request when its show begins, or an unanswered one after its deadline. Returns false otherwise. */
export async function expireRequest(tx: Tx, bookingId: string, now: Date): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.status !== "initiated") return false;
  const { answer_due_at: answerDue, starts_at: startsAt } = booking;
  if ((answerDue ?? startsAt) > now) return false;
  const code = !answerDue ? "expired" : awaitsConfirmation(booking) ? "not_requested" : "unanswered";
  await cancel(tx, booking, { by: "system", code, now });
  return true;
}
