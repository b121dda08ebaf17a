import { capitalized } from "#platform/text.rules.ts";
import { aboutBooking, type BookingDetails, eventDetails } from "./bookings.ts";
import type { EmailContent } from "./email.ts";
import { longDay, type Money, money, paidCard } from "./format.ts";

const refundedCard = (byOther = false): string =>
  byOther ? "the card of the person who paid it by your payment link" : paidCard;

/** To the promoter, when a refund was sent, a dispute was lost (`byDispute`), or an admin paid it outside the provider (`paidOutside`: how). */
export function refundSent(
  booking: BookingDetails & {
    refund: Money;
    byDispute?: boolean;
    paidOutside?: string | undefined;
    /** Another payer paid it by a payment link, and is not named to the promoter. */
    byOther?: boolean;
  },
): EmailContent {
  const bank = booking.byOther ? "the payer's bank" : "your bank";
  const show = `${booking.artistName} on ${longDay(booking.eventDate)}`;
  return {
    subject: booking.byDispute
      ? `${capitalized(bank)} has refunded ${money(booking.refund)}`
      : booking.paidOutside
        ? `We have paid your refund of ${money(booking.refund)} in another way`
        : `We have refunded ${money(booking.refund)}`,
    ...aboutBooking(booking, "View credit note"),
    paragraphs: booking.paidOutside
      ? [
          `The card did not accept the refund of ${money(booking.refund)} for ${show}, so we have paid it in another way.`,
          `How it was paid: ${booking.paidOutside}`,
          "This was the refund that was due to you.",
        ]
      : [
          booking.byDispute
            ? `After the dispute, ${bank} refunded ${money(booking.refund)} for ${show}. This was the refund that was due. We send nothing more.`
            : `We have sent ${money(booking.refund)} for ${show} back to ${refundedCard(booking.byOther)}. Banks take 5 to 10 days to show it.`,
        ],
    details: [...eventDetails(booking), ["Refund", money(booking.refund)]],
  };
}

/** To the promoter, when a refund was refused, or a sent one came back (`returned`). `byOther` as in `refundSent`. */
export function refundFailed(
  booking: BookingDetails & { refund: Money; returned: boolean; byOther: boolean },
): EmailContent {
  return {
    ...aboutBooking(booking),
    ...failedRefund(booking, refundedCard(booking.byOther)),
    details: [...eventDetails(booking), ["Refund", money(booking.refund)]],
  };
}

/** To the artist, when a part was refunded in the provider's dashboard. `share`: what the artist's share of the booking is now. */
export const refundReducesShare = (booking: BookingDetails & { refund: Money; share: Money }): EmailContent => ({
  subject: `${money(booking.refund)} for ${longDay(booking.eventDate)} was refunded to the payer`,
  name: booking.artistName,
  paragraphs: [
    `We refunded ${money(booking.refund)} of what ${booking.promoterName} paid for ${longDay(booking.eventDate)}. The refund reduces your share in proportion.`,
    `After the commission, your share of this booking is now ${money(booking.share)}. Contact us if you have questions.`,
  ],
  button: { label: "View booking", href: booking.link },
  details: [...eventDetails(booking), ["Refund", money(booking.refund)], ["Your share", money(booking.share)]],
});

/** To the payer who paid for the promoter, when the refund to their card was refused or came back (`returned`). */
export function payerRefundFailed(
  to: Omit<BookingDetails, "link"> & { name: string; refund: Money; returned: boolean },
): EmailContent {
  return {
    ...failedRefund(to, paidCard),
    name: to.name,
    details: [
      ["Artist", to.artistName],
      ["Date", longDay(to.eventDate)],
      ["Venue", to.venueName],
      ["Booked by", to.promoterName],
      ["Refund", money(to.refund)],
    ],
  };
}

function failedRefund(
  about: Pick<BookingDetails, "artistName" | "eventDate"> & { refund: Money; returned: boolean },
  card: string,
): Pick<EmailContent, "subject" | "paragraphs"> {
  const refund = money(about.refund);
  const what = `of ${refund} for ${about.artistName} on ${longDay(about.eventDate)} to ${card}`;
  return {
    subject: about.returned ? `Your refund of ${refund} did not arrive` : `Your refund of ${refund} could not be sent`,
    paragraphs: [
      about.returned
        ? `The refund ${what} did not arrive. The bank of the card has returned it to us.`
        : `We could not send the refund ${what}. The payment provider refused it.`,
      "The money is still due. We will send it again, pay it in another way or contact you. You do not need to do anything.",
    ],
  };
}
