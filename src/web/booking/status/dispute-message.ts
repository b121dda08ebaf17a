import { formatMoney } from "#platform/money.rules.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { type BookingResponse, isPromoter, type StatusMessage } from "./progress.ts";

/** Returns what open and lost disputes mean for the viewer. Undefined without one. */
export function disputeMessageOf(booking: BookingResponse): StatusMessage | undefined {
  const { dispute } = booking.money;
  if (!dispute) return undefined;
  const { open_cents: open, withheld_cents: withheld, lost_cents: lost } = dispute;
  const sum = (cents: number) => formatMoney(cents, booking.currency);
  const isActive = booking.status !== "canceled" && booking.status !== "completed";
  const isPayer = isPromoter(booking);
  const bank = isPayer ? "The bank of the card" : "The payer's bank";
  const texts = [
    lost > 0 ? `${bank} took back ${sum(lost)} in a dispute.` : "",
    open > 0 && withheld === 0 ? `${bank} has a question about ${sum(open)}. No money has been withdrawn.` : "",
    withheld > 0
      ? `${isPayer ? `${sum(open)} is disputed` : `The payer disputes ${sum(open)}`} at the bank of the card. The bank withholds ${withheld === open ? "it" : sum(withheld)} until it has decided.`
      : "",
    isActive ? "The date stays booked." : "",
    open > 0 ? describeWait(booking) : isActive ? describeRest(booking, sum) : "",
  ];
  const title =
    withheld > 0
      ? "A payment is disputed."
      : open > 0
        ? `${bank} asks about a payment.`
        : "A payment was lost in a dispute.";
  return { title, text: texts.filter(Boolean).join(" "), tone: "gold" };
}

function describeWait({ viewer, money, status }: BookingResponse): string {
  const paidOut = "Until the bank has decided, nothing is paid out.";
  if (viewer === "admin") return paidOut;
  if (viewer !== "artist")
    return status === "canceled" ? "" : "Until the bank has decided, this payment cannot be refunded.";
  if (status === "canceled" && money.parts.every((part) => !part.artist_cents)) return "";
  return money.dispute?.withheld_cents && status !== "canceled"
    ? `${paidOut} If the bank keeps the money, your share is reduced.`
    : paidOut;
}

function describeRest(booking: BookingResponse, sum: (cents: number) => string): string {
  const { viewer, money, deadlines } = booking;
  if (money.outstanding_cents > 0) return "";
  if (viewer === "admin") return "What is left of the price is paid out after the show.";
  if (viewer !== "artist")
    return deadlines.some(({ kind }) => kind === "show_starts") ? `See you on ${formatDay(booking.event_date)}.` : "";
  const left = money.parts.reduce((all, { artist_cents: cents }) => all + (cents ?? 0), 0);
  return left > 0 ? `After the show you are paid the rest: ${sum(left)}.` : "Nothing is left to be paid to you.";
}

/** Adds what disputes mean to a message. It replaces the message that everything is paid. For admins an open dispute comes first. */
export function withDispute(booking: BookingResponse, message: StatusMessage): StatusMessage {
  const dispute = disputeMessageOf(booking);
  if (!dispute) return message;
  if (booking.status === "contract_signed" && message.tone === "green") return dispute;
  if (booking.viewer === "admin" && (booking.money.dispute?.open_cents ?? 0) > 0)
    return { ...dispute, text: `${dispute.text} ${message.title}` };
  return { ...message, text: `${message.text} ${dispute.text}` };
}
