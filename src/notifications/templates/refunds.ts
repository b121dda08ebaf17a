import { capitalized } from "#platform/text.rules.ts";
import { aboutBooking, type BookingDetails, eventDetails } from "./bookings.ts";
import { type EmailContent, longDay, type Money, money, paidCard } from "./email.ts";

const refundedCard = (byOther = false): string =>
  byOther ? "the card of the person who paid it by your payment link" : paidCard;

/** `byDispute`: the payer's bank paid it. `paidOutside`: an admin paid it outside the provider. `byOther`: another payer paid by a payment link, and is not named to the promoter. `rest`: refunds of the same payment that are still due. */
export type SentRefund = Readonly<{
  artistName: string;
  eventDate: string;
  refund: Money;
  byDispute?: boolean;
  paidOutside?: boolean;
  byOther?: boolean;
  rest?: Money | null;
}>;

/** Returns subject and text about a refund that the payer has received. Each email is about one part of what is due. */
export function sentRefund(sent: SentRefund): Pick<EmailContent, "subject" | "paragraphs"> {
  const { byOther = false, rest } = sent;
  const refund = money(sent.refund);
  const show = `${sent.artistName} on ${longDay(sent.eventDate)}`;
  if (sent.byDispute) {
    const bank = byOther ? "the payer's bank" : "your bank";
    return {
      subject: `${capitalized(bank)} has refunded ${refund}`,
      paragraphs: [
        `After the dispute, ${bank} refunded ${refund} for ${show}. This amount was due as a refund, so we do not send it again.`,
        ...(rest ? [`${money(rest)} is still to be refunded. You get a separate email about it.`] : []),
      ],
    };
  }
  return sent.paidOutside
    ? {
        subject: `We pay ${byOther ? "the" : "your"} refund of ${refund} in another way`,
        paragraphs: [`We pay the refund of ${refund} for ${show} in another way than to ${refundedCard(byOther)}.`],
      }
    : {
        subject: `We have refunded ${refund}`,
        paragraphs: [
          `We have sent ${refund} for ${show} back to ${refundedCard(byOther)}. Banks take 5 to 10 days to show it.`,
        ],
      };
}

export function refundSent({
  paidOutside,
  ...booking
}: BookingDetails & Omit<SentRefund, "paidOutside"> & { paidOutside?: string | undefined }): EmailContent {
  const { subject, paragraphs } = sentRefund({ ...booking, paidOutside: paidOutside !== undefined });
  return {
    subject,
    ...aboutBooking(booking, "View credit note"),
    paragraphs: paidOutside === undefined ? paragraphs : [...paragraphs, `How it is paid: ${paidOutside}`],
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

/** To the artist, when a part was refunded in the provider's dashboard. `share`: what the artist's share of the booking is now. Null: the refund was of money that an appeal had won back, and changes no share. */
export const refundReducesShare = (booking: BookingDetails & { refund: Money; share: Money | null }): EmailContent => ({
  subject: `${money(booking.refund)} for ${longDay(booking.eventDate)} was refunded to the payer`,
  name: booking.artistName,
  paragraphs: booking.share
    ? [
        `We refunded ${money(booking.refund)} of what ${booking.promoterName} paid for ${longDay(booking.eventDate)}. The refund reduces your share in proportion.`,
        `After the commission, your share of this booking is now ${money(booking.share)}. Contact us if you have questions.`,
      ]
    : [
        `After the dispute was won by an appeal, the payer's bank returned ${money(booking.refund)} of what was paid for ${longDay(booking.eventDate)}. We decided about it: it was refunded to the payer, so you receive no share of it.`,
        "Contact us if you have questions.",
      ],
  button: { label: "View booking", href: booking.link },
  details: [
    ...eventDetails(booking),
    ["Refund", money(booking.refund)],
    ...(booking.share ? [["Your share", money(booking.share)] as const] : []),
  ],
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
      `The money is still due. We will ${about.returned ? "" : "send it again, "}pay it in another way or contact you. You do not need to do anything.`,
    ],
  };
}
