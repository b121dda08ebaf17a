import { formatInstant } from "#platform/time/calendar.rules.ts";
import { aboutBooking, type BookingDetails, dayAtVenue, recipientName, type Side } from "./bookings.ts";
import {
  type EmailContent,
  day,
  longDay,
  type Money,
  money,
  paidCard,
  refundDuringDisputeText,
  shortDay,
  waitingRefundText,
  texts,
} from "./email.ts";

/** To the promoter, when the show has ended. `reportBy`: the end of the time to report a no-show. `confirmsAt`: when the show is confirmed automatically, null if something blocks that. `unpaid`: the balance that blocks it, and when the booking ends without it. */
export function showConfirmation(
  booking: BookingDetails & {
    reportBy: Date;
    confirmsAt: Date | null;
    unpaid: { balance: Money; until: Date | null } | null;
    timeZone: string;
  },
): EmailContent {
  const { artistName: artist, confirmsAt, unpaid } = booking;
  const reportBy = formatInstant(booking.reportBy, booking.timeZone);
  return {
    subject: `Did the show of ${artist} on ${day(booking.eventDate)} take place?`,
    title: "Did the show take place?",
    ...aboutBooking(booking),
    paragraphs: texts(
      `The time of the show of ${artist} on ${dayAtVenue(booking)} is over.`,
      unpaid && unpaidText(unpaid, booking.timeZone),
      confirmsAt && "If it took place, confirm the show on the booking page.",
      `If ${artist} did not appear, report a no-show on the booking page by ${reportBy}. We then pay nothing out until an admin has decided.`,
      confirmsAt &&
        `If you do neither, we confirm the show on ${formatInstant(confirmsAt, booking.timeZone)} and release the payment to ${artist}.`,
    ),
    sms: `Did the show of ${artist} on ${shortDay(booking.eventDate)} take place? ${confirmsAt ? "Confirm it, or report" : "If not, report"} a no-show by ${reportBy}: ${booking.link}`,
  };
}

const unpaidText = ({ balance, until }: { balance: Money; until: Date | null }, timeZone: string): string =>
  `The balance of ${money(balance)} is not paid. Pay it on the booking page${until ? ` by ${formatInstant(until, timeZone)}. Otherwise the booking ends and the cancellation terms apply` : ""}.`;

export const calendarConflict = (
  booking: BookingDetails & { calendarName: string; entry: { from: Date; to: Date; timeZone: string } },
): EmailContent => ({
  subject: `${day(booking.eventDate)}: your calendar “${booking.calendarName}” has an entry at the time of your show`,
  title: "Two entries at the same time",
  ...aboutBooking({ ...booking, side: "artist" }),
  paragraphs: [
    `You are booked on ${dayAtVenue(booking)}. Your calendar “${booking.calendarName}” has an entry at that time, from ${formatInstant(booking.entry.from, booking.entry.timeZone)} to ${formatInstant(booking.entry.to, booking.entry.timeZone)}.`,
    "If that entry is this show, ignore this email. If not, you are expected in two places: move the other entry, or cancel the show on the booking page.",
  ],
});

export const noShowReported = (booking: BookingDetails & { note: string; supportEmail: string }): EmailContent => ({
  subject: `${longDay(booking.eventDate)}: a no-show was reported`,
  name: booking.artistName,
  paragraphs: [
    `${booking.promoterName} reports that you did not appear on ${longDay(booking.eventDate)}. Nothing is paid out until an admin of this platform has decided.`,
    `They wrote: ${booking.note}`,
    `If this is wrong, state your side on the booking page before the decision, and send evidence to ${booking.supportEmail}: messages, pictures, names of witnesses.`,
  ],
  button: { label: "View booking", href: booking.link },
});

export const noShowStated = (booking: BookingDetails & { statement: string }): EmailContent => ({
  subject: `${longDay(booking.eventDate)}: ${booking.artistName} has answered your report`,
  ...aboutBooking(booking),
  paragraphs: [
    `${booking.artistName} has stated their side of the reported no-show. An admin of this platform decides. Nothing is paid out until then.`,
    "They wrote:",
  ],
  quote: booking.statement,
});

export function noShowDecided(
  booking: BookingDetails &
    Side & {
      released: Money;
      /** To the artist: what is left of the released money after the commission. */
      net?: Money;
      refunded: Money;
      waiting?: Money | null;
      decision: string;
      /** What must happen before the money moves. Null: the decision has moved it. */
      heldUntil: "balance" | "show" | null;
    },
): EmailContent {
  const { side, released, net, refunded } = booking;
  const isArtist = side === "artist";
  const waiting = refunded.amount > 0 ? booking.waiting : null;
  const after = net && net.amount < released.amount ? ` (${money(net)} after the commission)` : "";
  const toArtist =
    released.amount > 0
      ? `${money(released)} is released to ${isArtist ? "you" : "the artist"}${after}`
      : "Nothing is released";
  const payer = isArtist ? `the promoter${waitingRefundText(waiting)}` : paidCard;
  const back = refunded.amount > 0 ? `${money(refunded)} is refunded to ${payer}` : "nothing is refunded";
  const continues =
    released.amount + refunded.amount > 0
      ? `We continue to hold the money until the ${booking.heldUntil === "show" ? "show is completed" : "balance is paid"}.`
      : booking.heldUntil === "balance"
        ? "The balance is still due."
        : "The booking continues.";
  const outcome = booking.heldUntil
    ? `The report is closed. ${continues}`
    : waiting && !isArtist
      ? `${toArtist}. ${refundDuringDisputeText(refunded, waiting)}`
      : `${toArtist}, and ${back}.`;
  return {
    subject: `${longDay(booking.eventDate)}: the reported no-show is decided`,
    name: recipientName(booking),
    paragraphs: [outcome, `The reason: ${booking.decision}`],
    button: { label: "View booking", href: booking.link },
  };
}
