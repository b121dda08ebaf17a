import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { EmailContent } from "./email.ts";
import { day, longDay, type Money, money, shortDay } from "./format.ts";
import { atVenue, type Gig, when } from "./bookings.ts";

/** `link` opens the payment of this balance and nothing else. */
type Asked = Gig & { due: Money };

const forwardable =
  "Does someone else pay? Forward this email. The link pays this balance once and opens nothing else.";

const ask = (gig: Asked) => ({
  name: gig.promoterName,
  button: { label: "Pay Balance", href: gig.link },
  facts: [...when(gig), ["Balance", money(gig.due)] as const],
  after: [forwardable],
});

/** To the promoter, a week before the balance is due. `dueDay` is YYYY-MM-DD. */
export const balanceReminder = (gig: Asked & { dueDay: string }): EmailContent => ({
  ...ask(gig),
  subject: `The balance for ${day(gig.eventDate)} is due on ${shortDay(gig.dueDay)}`,
  paragraphs: [
    `The balance of ${money(gig.due)} for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)} is due on ${longDay(gig.dueDay)}. You can pay it now.`,
  ],
  sms: `Balance of ${money(gig.due)} for ${shortDay(gig.eventDate)} is due on ${shortDay(gig.dueDay)}. Pay: ${gig.link}`,
});

/** To the promoter who agreed to it, a week before the balance is charged. `card` is "Visa ···4242". `link` opens the booking. */
export const balanceChargePlanned = (gig: Asked & { card: string; chargeAt: Date; timeZone: string }): EmailContent => {
  const at = formatInstant(gig.chargeAt, gig.timeZone);
  return {
    subject: `The balance for ${day(gig.eventDate)} will be charged to ${gig.card}`,
    name: gig.promoterName,
    paragraphs: [
      `The balance of ${money(gig.due)} for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)} will be charged to ${gig.card} on ${at}, as you agreed when you paid the deposit. You do not need to do anything.`,
      "Before that, you can pay with another card or withdraw the automatic payment on the booking page.",
    ],
    button: { label: "View booking", href: gig.link },
    facts: [...when(gig), ["Balance", money(gig.due)], ["Card", gig.card]],
    sms: `Balance of ${money(gig.due)} for ${shortDay(gig.eventDate)} will be charged to ${gig.card} on ${at}. Change it: ${gig.link}`,
  };
};

const chargeFailures = {
  card_declined: "Your bank declined the charge.",
  authentication_required: "Your bank requires you to confirm this payment yourself.",
  expired_card: "The card has expired.",
} as const;

/** To the promoter, when the automatic charge has failed. The link pays this balance and nothing else. */
export const balanceChargeFailed = (gig: Asked & { why: keyof typeof chargeFailures }): EmailContent => ({
  ...ask(gig),
  subject: `The balance for ${day(gig.eventDate)} could not be charged`,
  paragraphs: [
    `The balance of ${money(gig.due)} for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)} could not be charged to your card. ${chargeFailures[gig.why]} Nothing was charged.`,
    "Pay it now, with the same card or another one. We do not charge the card again automatically.",
  ],
  sms: `Balance of ${money(gig.due)} for ${shortDay(gig.eventDate)} could not be charged. Pay: ${gig.link}`,
});

/** To the promoter, on the due day of the balance. Without a `dueDay` it is due immediately, because the event is close. */
export const balanceDue = (gig: Asked & { dueDay: string | null }): EmailContent => ({
  ...ask(gig),
  subject: `The balance for ${day(gig.eventDate)} is due ${gig.dueDay ? "today" : "now"}`,
  paragraphs: [
    `The balance of ${money(gig.due)} for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)} is due ${gig.dueDay ? `today, ${longDay(gig.dueDay)}` : "now, because the event is less than 28 days away"}.`,
    "We hold it until the show is over.",
  ],
  sms: `Balance of ${money(gig.due)} for ${shortDay(gig.eventDate)} is due ${gig.dueDay ? "today" : "now"}. Pay: ${gig.link}`,
});

/** To the promoter, when the balance is overdue. `decisionAt`: from when the artist may release the date. */
export function balanceOverdue(
  gig: Asked & {
    stage: "overdue" | "overdue_again" | "last_call" | "decision";
    decisionAt: Date | null;
    timeZone: string;
  },
): EmailContent {
  const threat = gig.decisionAt
    ? `If it is still unpaid on ${formatInstant(gig.decisionAt, gig.timeZone)}, ${gig.artistName} may release the date. The cancellation terms then determine your refund.`
    : `Until it is paid, ${gig.artistName} may release the date. The cancellation terms then determine your refund.`;
  const subjects = {
    overdue: `The balance for ${day(gig.eventDate)} is overdue`,
    overdue_again: `The balance for ${day(gig.eventDate)} is still overdue`,
    last_call: `Final reminder: the balance for ${day(gig.eventDate)}`,
    decision: `${gig.artistName} may now release ${day(gig.eventDate)}`,
  } as const;
  return {
    ...ask(gig),
    subject: subjects[gig.stage],
    paragraphs: [
      `The balance of ${money(gig.due)} for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)} has not been paid.`,
      threat,
    ],
    sms: `Balance of ${money(gig.due)} for ${shortDay(gig.eventDate)} is overdue. The date may be released. Pay: ${gig.link}`,
  };
}

/** To the promoter, when the artist extends the due day. `until` is the last day, YYYY-MM-DD. */
export const balanceExtended = (gig: Asked & { until: string }): EmailContent => ({
  ...ask(gig),
  subject: `More time for the balance: until ${shortDay(gig.until)}`,
  paragraphs: [
    `${gig.artistName} gives you until the end of ${longDay(gig.until)} to pay the balance of ${money(gig.due)} for ${longDay(gig.eventDate)}${atVenue(gig)}.`,
    `If it is not paid by then, the date may be released.`,
  ],
  sms: `You have until ${shortDay(gig.until)} to pay the balance of ${money(gig.due)} for ${shortDay(gig.eventDate)}: ${gig.link}`,
});

/** To the artist, when the balance is unpaid after all reminders and the artist decides. Always sent. */
export const balanceDecision = (gig: Asked): EmailContent => ({
  subject: `The balance for ${day(gig.eventDate)} is unpaid: you decide`,
  name: gig.artistName,
  paragraphs: [
    `${gig.promoterName} has not paid the balance of ${money(gig.due)} for ${longDay(gig.eventDate)}${atVenue(gig)}, although we reminded them several times.`,
    "On the booking page, give more time or release the date. If you release it, the booking is canceled for non-payment, and you keep what the cancellation terms grant you. You can decide until the show begins. Until then the booking remains active and the balance can still be paid. If it is still unpaid 30 days after the show, the booking is canceled under the same terms.",
  ],
  button: { label: "Decide", href: gig.link },
  facts: [...when(gig), ["Balance", money(gig.due)]],
});
