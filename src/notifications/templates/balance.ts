import { formatInstant } from "#platform/time/calendar.rules.ts";
import { aboutBooking, type BookingDetails, dayAtVenue, type Side, eventDetails } from "./bookings.ts";
import { type EmailContent, day, longDay, type Money, money, shortDay } from "./email.ts";

type BalanceDetails = BookingDetails & { due: Money };

const forwardable =
  "Does someone else pay? Forward this email. The link pays this balance once and opens nothing else.";

/** Of a balance that was agreed to be charged, and is requested instead. */
type NotCharged = { isNotCharged?: boolean };
const chargeText = ({ isNotCharged }: NotCharged) =>
  isNotCharged
    ? ["The charge that you agreed to was not made. Your saved card is not charged: pay the balance here."]
    : [];

const balanceRequest = (booking: BalanceDetails) => ({
  ...aboutBooking(booking, "Pay Balance"),
  details: [...eventDetails(booking), ["Balance", money(booking.due)] as const],
  after: [forwardable],
});

/** To the promoter, a week before the balance is due. `dueDay` is YYYY-MM-DD. */
export const balanceReminder = (booking: BalanceDetails & { dueDay: string }): EmailContent => ({
  ...balanceRequest(booking),
  subject: `The balance for ${day(booking.eventDate)} is due on ${shortDay(booking.dueDay)}`,
  paragraphs: [
    `The balance of ${money(booking.due)} for ${booking.artistName} on ${dayAtVenue(booking)} is due on ${longDay(booking.dueDay)}. You can pay it now.`,
  ],
  sms: `Balance of ${money(booking.due)} for ${shortDay(booking.eventDate)} is due on ${shortDay(booking.dueDay)}. Pay: ${booking.link}`,
});

/** To the promoter who agreed to it, a week before the balance is charged. `card` is "Visa ···4242". `link` opens the booking. */
export const balanceChargePlanned = (
  booking: BalanceDetails & { card: string; chargeAt: Date; timeZone: string },
): EmailContent => {
  const at = formatInstant(booking.chargeAt, booking.timeZone);
  return {
    subject: `The balance for ${day(booking.eventDate)} will be charged to ${booking.card}`,
    ...aboutBooking(booking),
    paragraphs: [
      `The balance of ${money(booking.due)} for ${booking.artistName} on ${dayAtVenue(booking)} will be charged to ${booking.card} on ${at}, as you agreed when you paid the deposit. You do not need to do anything.`,
      "Before that, you can pay with another card or withdraw the automatic payment on the booking page.",
    ],
    details: [...eventDetails(booking), ["Balance", money(booking.due)], ["Card", booking.card]],
    sms: `Balance of ${money(booking.due)} for ${shortDay(booking.eventDate)} will be charged to ${booking.card} on ${at}. Change it: ${booking.link}`,
  };
};

const chargeFailures = {
  card_declined: "Your bank declined the charge.",
  authentication_required: "Your bank requires you to confirm this payment yourself.",
  expired_card: "The card has expired.",
} as const;

export const balanceChargeFailed = (booking: BalanceDetails & { why: keyof typeof chargeFailures }): EmailContent => ({
  ...balanceRequest(booking),
  subject: `The balance for ${day(booking.eventDate)} could not be charged`,
  paragraphs: [
    `The balance of ${money(booking.due)} for ${booking.artistName} on ${dayAtVenue(booking)} could not be charged to the saved card. ${chargeFailures[booking.why]} Nothing was charged.`,
    "Pay it now, with the same card or another one. We do not charge the card again automatically.",
  ],
  sms: `Balance of ${money(booking.due)} for ${shortDay(booking.eventDate)} could not be charged. Pay: ${booking.link}`,
});

/** To the promoter, on the due day of the balance. Without a `dueDay` it is due immediately, because the event is close or has begun. */
export const balanceDue = (
  booking: BalanceDetails & NotCharged & { dueDay: string | null; hasBegun: boolean },
): EmailContent => ({
  ...balanceRequest(booking),
  subject: `The balance for ${day(booking.eventDate)} is due ${booking.dueDay ? "today" : "now"}`,
  paragraphs: [
    `The balance of ${money(booking.due)} for ${booking.artistName} on ${dayAtVenue(booking)} is due ${booking.dueDay ? `today, ${longDay(booking.dueDay)}` : `now${booking.hasBegun ? "" : ", because the event is at most 28 days away"}`}.`,
    ...chargeText(booking),
    "We hold it until the show is over.",
  ],
  sms: `Balance of ${money(booking.due)} for ${shortDay(booking.eventDate)} is due ${booking.dueDay ? "today" : "now"}. Pay: ${booking.link}`,
});

/** To the promoter, when the balance is overdue. `decisionAt`: from when the artist may release the date. `begun`: the show has begun, and the booking ends then unpaid. */
export function balanceOverdue(
  booking: BalanceDetails &
    NotCharged & {
      stage: "overdue" | "overdue_again" | "last_call" | "decision";
      decisionAt: Date | null;
      begun: Readonly<{ endsAt: Date | null }> | null;
      timeZone: string;
    },
): EmailContent {
  const terms = "The cancellation terms then determine your refund.";
  const threat = booking.begun
    ? booking.begun.endsAt
      ? `If it is still unpaid on ${formatInstant(booking.begun.endsAt, booking.timeZone)}, the booking is canceled. ${terms}`
      : "The booking stays open until it is paid or an admin cancels it."
    : booking.decisionAt
      ? `If it is still unpaid on ${formatInstant(booking.decisionAt, booking.timeZone)}, ${booking.artistName} may release the date. ${terms}`
      : `Until it is paid, ${booking.artistName} may release the date. ${terms}`;
  const subjects = {
    overdue: `The balance for ${day(booking.eventDate)} is overdue`,
    overdue_again: `The balance for ${day(booking.eventDate)} is still overdue`,
    last_call: `Final reminder: the balance for ${day(booking.eventDate)}`,
    decision: `${booking.artistName} may now release ${day(booking.eventDate)}`,
  } as const;
  return {
    ...balanceRequest(booking),
    subject: subjects[booking.stage],
    paragraphs: [
      `The balance of ${money(booking.due)} for ${booking.artistName} on ${dayAtVenue(booking)} has not been paid.`,
      ...chargeText(booking),
      threat,
    ],
    sms: `Balance of ${money(booking.due)} for ${shortDay(booking.eventDate)} is overdue.${booking.stage === "decision" && !booking.begun ? " The date may be released." : ""} Pay: ${booking.link}`,
  };
}

export function balanceEnds(booking: BalanceDetails & Side & { until: Date; timeZone: string }): EmailContent {
  const until = formatInstant(booking.until, booking.timeZone);
  const show = day(booking.eventDate);
  const due = money(booking.due);
  if (booking.side === "artist")
    return {
      ...aboutBooking(booking),
      subject: `The balance for ${show} is still unpaid`,
      paragraphs: [
        `${booking.promoterName} has not paid the balance of ${due} for ${dayAtVenue(booking)}. We have requested it again today.`,
        `It can be paid until ${until}. If it is not, the booking ends as unpaid, and you keep what the cancellation terms grant you.`,
      ],
      details: [...eventDetails(booking), ["Balance", due]],
    };
  return {
    ...balanceRequest(booking),
    subject: `Last request: pay the balance for ${show} by ${until}`,
    title: "Last request for the balance",
    paragraphs: [
      `The show of ${booking.artistName} on ${dayAtVenue(booking)} is over, and its balance of ${due} is not paid.`,
      `Pay it by ${until}. Otherwise the booking ends as unpaid, and the cancellation terms determine your refund.`,
    ],
    sms: `Balance of ${due} for ${shortDay(booking.eventDate)} is not paid. The booking ends on ${until}. Pay: ${booking.link}`,
  };
}

/** To the promoter. `until` is the last day, YYYY-MM-DD. */
export const balanceExtended = (booking: BalanceDetails & { until: string }): EmailContent => ({
  ...balanceRequest(booking),
  subject: `More time for the balance: until ${shortDay(booking.until)}`,
  paragraphs: [
    `${booking.artistName} gives you until the end of ${longDay(booking.until)} to pay the balance of ${money(booking.due)} for ${dayAtVenue(booking)}.`,
    `If it is not paid by then, we remind you, and ${booking.artistName} may release the date later.`,
  ],
  sms: `You have until ${shortDay(booking.until)} to pay the balance of ${money(booking.due)} for ${shortDay(booking.eventDate)}: ${booking.link}`,
});

export const balanceDecision = (booking: BalanceDetails): EmailContent => ({
  subject: `The balance for ${day(booking.eventDate)} is unpaid: you decide`,
  name: booking.artistName,
  paragraphs: [
    `${booking.promoterName} has not paid the balance of ${money(booking.due)} for ${dayAtVenue(booking)}, although we reminded them several times.`,
    "On the booking page, give more time or release the date. If you release it, the booking is canceled for non-payment, and you keep what the cancellation terms grant you. You can decide until the show begins. Until then the booking remains active and the balance can still be paid. If it is still unpaid 30 days after the show, the booking is canceled under the same terms.",
  ],
  button: { label: "Decide", href: booking.link },
  details: [...eventDetails(booking), ["Balance", money(booking.due)]],
});
