import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { EmailContent } from "./email.ts";
import { day, longDay, type Money, money, shortDay } from "./format.ts";
import { aboutBooking, atVenue, type BookingDetails, recipientName, type Side } from "./bookings.ts";

/** To the promoter, when the show has ended. `reportBy`: the end of the time to report a no-show. `confirmsAt`: when the show is confirmed automatically, null if something blocks that. */
export function showConfirmation(
  booking: BookingDetails & { reportBy: Date; confirmsAt: Date | null; timeZone: string },
): EmailContent {
  const { artistName: artist, confirmsAt } = booking;
  const reportBy = formatInstant(booking.reportBy, booking.timeZone);
  return {
    subject: `Did the show of ${artist} on ${day(booking.eventDate)} take place?`,
    title: "Did the show take place?",
    ...aboutBooking(booking),
    paragraphs: [
      `The time of the show of ${artist} on ${longDay(booking.eventDate)}${atVenue(booking)} is over.`,
      ...(confirmsAt ? ["If it took place, confirm the show on the booking page."] : []),
      `If ${artist} did not appear, report a no-show on the booking page by ${reportBy}. We then pay nothing out until an admin has decided.`,
      ...(confirmsAt
        ? [
            `If you do neither, we confirm the show on ${formatInstant(confirmsAt, booking.timeZone)} and release the payment to ${artist}.`,
          ]
        : []),
    ],
    sms: `Did the show of ${artist} on ${shortDay(booking.eventDate)} take place? ${confirmsAt ? "Confirm it, or report" : "If not, report"} a no-show by ${reportBy}: ${booking.link}`,
  };
}

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

export function noShowDecided(
  booking: BookingDetails &
    Side & {
      released: Money;
      refunded: Money;
      decision: string;
      settled: boolean;
    },
): EmailContent {
  const toArtist =
    booking.released.amount > 0 ? `${money(booking.released)} is released to the artist` : "Nothing is released";
  const back =
    booking.refunded.amount > 0 ? `${money(booking.refunded)} is refunded to the payer` : "nothing is refunded";
  const outcome = booking.settled
    ? `${toArtist}, and ${back}.`
    : "The report is closed. We continue to hold the money until the balance is paid.";
  return {
    subject: `${longDay(booking.eventDate)}: the reported no-show is decided`,
    name: recipientName(booking),
    paragraphs: [outcome, `The reason: ${booking.decision}`],
    button: { label: "View booking", href: booking.link },
  };
}
