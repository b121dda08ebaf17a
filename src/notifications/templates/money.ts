import { formatInstant } from "#platform/time/calendar.rules.ts";
import { type BookingDetails, recipientName, type Side } from "./bookings.ts";
import { type EmailContent, longDay, type Money, money, paidCard, texts } from "./email.ts";

/** To the payer, for the refund of a payment that was not accepted. `reason` completes "We refund … because …". */
export const moneyReturned = (booking: BookingDetails & { refund: Money; reason: string }): EmailContent => ({
  subject: `We refund ${money(booking.refund)}`,
  name: booking.promoterName,
  paragraphs: [
    `A payment for ${booking.artistName} on ${longDay(booking.eventDate)} reached us. We refund ${money(booking.refund)} because ${booking.reason}.`,
    `The refund goes to ${paidCard}. Banks take 5 to 10 days to show it. You do not need to do anything.`,
  ],
  button: { label: "View booking", href: booking.link },
  details: [
    ["Artist", booking.artistName],
    ["Date", longDay(booking.eventDate)],
    ["Refund", money(booking.refund)],
  ],
});

export const paidOut = (
  booking: BookingDetails & { paid: Money; sent?: Money; paidOutside?: string | undefined },
): EmailContent => ({
  subject: `Paid out: ${money(booking.paid)} for ${longDay(booking.eventDate)}`,
  name: booking.artistName,
  paragraphs:
    booking.paidOutside === undefined
      ? [
          `We have sent ${money(booking.paid)} for ${booking.promoterName} on ${longDay(booking.eventDate)} to your payment account. From there it goes to your bank, typically within 2-7 business days.`,
        ]
      : [
          `We pay you ${money(booking.paid)} for ${booking.promoterName} on ${longDay(booking.eventDate)} in another way than to your payment account.`,
          `How it is paid: ${booking.paidOutside}`,
        ],
  button: { label: "View booking", href: booking.link },
  details: [
    ["Booking", booking.number],
    ["Date", longDay(booking.eventDate)],
    ["Paid out", money(booking.paid)],
    ...(booking.sent ? [["Sent to the payment account as", money(booking.sent)] as const] : []),
  ],
  sms: `Paid out: ${money(booking.paid)} for ${longDay(booking.eventDate)} ${booking.paidOutside === undefined ? "is on its way to your payment account" : "is paid in another way"}.`,
});

/** `paidOutside`: how the artist paid it back outside the provider. `isOwed`: the artist must pay it back there. `isRefused`: the provider refused the reversal. */
export function payoutReversed(
  booking: BookingDetails & { back: Money; cause: "refund" | "dispute" } & Partial<{
      paidOutside: string | undefined;
      isOwed: boolean;
      isRefused: boolean;
    }>,
): EmailContent {
  const what = `The payment for ${booking.promoterName} on ${longDay(booking.eventDate)}`;
  const why =
    booking.cause === "dispute"
      ? `The dispute about the payment for ${booking.promoterName} on ${longDay(booking.eventDate)} was lost after your payout.`
      : `${what} was refunded after your payout.`;
  const deducted = `${money(booking.back)} of your share was deducted from your payment account. If the payout was sent in several transfers, each part is deducted on its own, with its own email.`;
  const paidBack = `You have paid back ${money(booking.back)} of your share in another way than from your payment account.`;
  const owed = `We had paid ${money(booking.back)} of your share in another way than to your payment account, so it cannot be deducted there. Please pay it back. We contact you about how.`;
  const refused = `${money(booking.back)} of your share could not be deducted from your payment account. We try again, or contact you about how to pay it back. You do not need to do anything now.`;
  const done = booking.paidOutside === undefined ? "was reversed" : "was paid back";
  const state = booking.isOwed ? "must be paid back" : booking.isRefused ? "could not be deducted" : done;
  const share = booking.isOwed ? owed : booking.isRefused ? refused : deducted;
  return {
    subject: `${money(booking.back)} of a payout ${state}`,
    name: booking.artistName,
    paragraphs: [
      `${why} ${booking.paidOutside === undefined ? share : paidBack}`,
      ...(booking.paidOutside === undefined ? [] : [`How it was paid: ${booking.paidOutside}`]),
      "Contact us if you have questions.",
    ],
    button: { label: "View booking", href: booking.link },
  };
}

/** To both sides, for each step of an agreement to cancel because of force majeure. `own`: the recipient proposed it. `charge`: the automatic charge of the balance, for its payer. */
export function forceMajeure(
  booking: BookingDetails &
    Side & {
      step: "proposed" | "refused" | "withdrawn" | "expired";
      own: boolean;
      reason: string;
      refund: Money;
      kept: Money;
      commission: Money | null;
      charge: "stopped" | { card: string; day: string | null } | null;
      until: { at: Date; timeZone: string };
    },
): EmailContent {
  const day = longDay(booking.eventDate);
  const other = booking.side === "artist" ? booking.promoterName || "The promoter" : booking.artistName;
  const until = formatInstant(booking.until.at, booking.until.timeZone);
  const less =
    booking.commission && booking.commission.amount > 0 ? ` after a commission of ${money(booking.commission)}` : "";
  // The promoter does not see the commission, which is a part of the amount.
  const kept =
    booking.side === "artist"
      ? `you keep ${money(booking.kept)}${less}`
      : `${money(booking.kept)} would not be refunded`;
  const isNothing = booking.refund.amount + booking.kept.amount === 0;
  const figures = isNothing
    ? "Nothing has been paid, so nothing is divided."
    : `${money(booking.refund)} would be refunded to ${paidCard}, and ${kept}.`;
  const remainsActive = "The booking remains active.";
  const { charge } = booking;
  const ofCharge =
    charge === "stopped"
      ? "Your saved card is not charged while the proposal is open. If the balance becomes due before then, we send you a payment request."
      : charge &&
        `The balance will be charged to ${charge.card}${charge.day ? ` on ${longDay(charge.day)}` : ""}, as you agreed.`;
  const byStep = {
    proposed: booking.own
      ? [
          `You have proposed to ${other} that the booking of ${day} ends because of force majeure.`,
          figures,
          `The booking ends only if ${other} accepts by ${until}. You can withdraw the proposal on the booking page.`,
        ]
      : [
          `${other} proposes that the booking of ${day} ends because of force majeure: an event outside the control of both of you.`,
          `The reason: ${booking.reason}`,
          figures,
          `Accept or refuse on the booking page by ${until}. If you do not answer, the booking remains active.`,
        ],
    refused: [
      `${booking.own ? `${other} has` : "You have"} refused that the booking of ${day} ends because of force majeure. ${remainsActive}`,
    ],
    withdrawn: [
      `${booking.own ? "You have" : `${other} has`} withdrawn the proposal that the booking of ${day} ends because of force majeure. ${remainsActive}`,
    ],
    expired: [
      `The proposal that the booking of ${day} ends because of force majeure was not answered in time. ${remainsActive}`,
    ],
  };
  const subjects = {
    proposed: booking.own ? "you have proposed to end the booking" : "do you agree to end the booking?",
    refused: "the end by agreement was refused",
    withdrawn: "the proposal was withdrawn",
    expired: "the proposal was not answered",
  };
  return {
    subject: `${day}: ${subjects[booking.step]}`,
    name: recipientName(booking),
    paragraphs: texts(...byStep[booking.step], ofCharge),
    button: { label: "View booking", href: booking.link },
  };
}

const alarmSubjects = {
  money: "review a payment",
  contract: "review a contract",
  "no-show": "decide about a no-show",
  review: "decide about a reported review",
  artist: "contact an artist",
};

export const moneyAlarm = (to: {
  number: string | null;
  message: string;
  link: string;
  about?: keyof typeof alarmSubjects;
}): EmailContent => ({
  subject: `Action required: ${alarmSubjects[to.about ?? "money"]}`,
  paragraphs: [to.message],
  button: { label: to.number === null ? "View payments" : "View booking", href: to.link },
  after: ["You get this email because you are an admin of this platform."],
});
