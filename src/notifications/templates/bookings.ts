import type { EmailContent } from "./email.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { oneLine } from "#delivery/rules.ts";
import { day, longDay, type Money, money, shortDay } from "./format.ts";
import { type BalanceAhead, balanceLine } from "./balance-line.ts";

/** The data of every email about a booking. Dates are YYYY-MM-DD, times HH:MM in the venue's time zone. */
export type Gig = {
  number: string;
  artistName: string;
  /** The whole address of the artist's poster. Null or undefined if the profile is not public. */
  poster?: string | null;
  /** Empty in emails to an unverified mailbox, which must not forward what a stranger typed. */
  promoterName: string;
  eventDate: string;
  eventTime?: string | null;
  venueName: string;
  /** The whole address of the recipient's page of this booking. */
  link: string;
};
export type Side = { side: "promoter" | "artist" };

export const reader = (gig: Gig & Side) => (gig.side === "artist" ? gig.artistName : gig.promoterName);
export const other = (gig: Gig & Side) => (gig.side === "artist" ? gig.promoterName : gig.artistName);

export const when = (gig: Gig): readonly [string, string][] =>
  [
    ["Artist", gig.artistName],
    ["Date", longDay(gig.eventDate)],
    ...(gig.eventTime ? ([["Starts", gig.eventTime.slice(0, 5)]] as const satisfies [string, string][]) : []),
    ...(gig.venueName ? [["Venue", gig.venueName]] : []),
    ["Booking", gig.number],
  ] as [string, string][];

export const atVenue = (gig: Gig) => (gig.venueName ? ` at ${gig.venueName}` : "");

export const sum = (label: string, amount: Money | null | undefined): [string, string][] =>
  amount ? [[label, money(amount)]] : [];

export function bookingConfirmation(gig: Gig & Side & BalanceAhead & { price?: Money | null }): EmailContent {
  return {
    subject: `Booked: ${other(gig)}, ${day(gig.eventDate)}`,
    title: `${day(gig.eventDate)} is booked`,
    name: reader(gig),
    paragraphs: [
      gig.side === "artist"
        ? `${gig.promoterName} has booked you${atVenue(gig)}. The date is blocked in your calendar.`
        : `${gig.artistName} plays${atVenue(gig)}. The date is yours.`,
      "We send the contract within 24 hours, for both of you to sign.",
    ],
    button: { label: "View booking", href: gig.link },
    facts: [...when(gig), ...sum("Price", gig.price), ...balanceLine(gig)],
    sms: `Booked: ${other(gig)}, ${shortDay(gig.eventDate)}, ${gig.venueName}. ${gig.link}`,
  };
}

export function depositReceived(gig: Gig & Side & BalanceAhead & { paid: Money }): EmailContent {
  const paid = money(gig.paid);
  return {
    subject: gig.side === "artist" ? `Deposit paid for ${day(gig.eventDate)}` : `We received your deposit of ${paid}`,
    name: reader(gig),
    paragraphs: [
      gig.side === "artist"
        ? `${gig.promoterName} has paid the deposit of ${paid}. We hold it until the show is over.`
        : `Thank you. We received your deposit of ${paid} for ${gig.artistName} on ${longDay(gig.eventDate)}.`,
    ],
    button: { label: gig.side === "promoter" ? "View receipt" : "View booking", href: gig.link },
    facts: [...when(gig), ["Deposit, paid", paid], ...balanceLine(gig)],
    sms: `Deposit of ${paid} for ${shortDay(gig.eventDate)} received. ${gig.link}`,
  };
}

export function balanceReceived(gig: Gig & Side & { paid: Money }): EmailContent {
  const paid = money(gig.paid);
  return {
    subject: gig.side === "artist" ? `Balance paid for ${day(gig.eventDate)}` : `We received your balance of ${paid}`,
    name: reader(gig),
    paragraphs: [
      gig.side === "artist"
        ? `The balance of ${paid} for ${gig.promoterName} has been paid. You are paid after the show.`
        : `Thank you. Everything for ${gig.artistName} is paid. See you on ${longDay(gig.eventDate)}.`,
    ],
    button: { label: gig.side === "promoter" ? "View receipt" : "View booking", href: gig.link },
    facts: [...when(gig), ["Balance, paid", paid]],
    sms: `Balance of ${paid} for ${shortDay(gig.eventDate)} received. ${gig.link}`,
  };
}

/** Payment Failed, to the promoter. `reason` is the provider's, in plain words. */
export function paymentFailed(
  gig: Gig & { due: Money; kind: "deposit" | "balance"; reason?: string | null },
): EmailContent {
  return {
    subject: `Your ${gig.kind} of ${money(gig.due)} was not paid`,
    name: gig.promoterName,
    paragraphs: [
      `The payment of the ${gig.kind} for ${gig.artistName} on ${longDay(gig.eventDate)} did not go through${gig.reason ? `: ${gig.reason.replace(/\.$/, "")}` : ""}. Nothing was charged.`,
      "You can try again, with the same card or another one.",
    ],
    button: { label: gig.kind === "deposit" ? "Pay Deposit" : "Pay Balance", href: gig.link },
    facts: [...when(gig), [gig.kind === "deposit" ? "Deposit" : "Balance", money(gig.due)]],
    sms: `Your ${gig.kind} of ${money(gig.due)} for ${shortDay(gig.eventDate)} was not paid. Try again: ${gig.link}`,
  };
}

export function checkoutDeclined(gig: Gig & { due: Money; heldUntil?: Date | null; timeZone?: string }): EmailContent {
  const held = gig.heldUntil
    ? ` The date stays held for you until ${formatInstant(gig.heldUntil, gig.timeZone ?? "UTC")}.`
    : "";
  return {
    subject: `Your card was declined for ${day(gig.eventDate)}`,
    name: gig.promoterName,
    paragraphs: [
      `The bank declined the payment of ${money(gig.due)} for ${gig.artistName}. Nothing was charged.${held}`,
      "Try another card, or contact your bank.",
    ],
    button: { label: "Try again", href: gig.link },
    facts: [
      ...when(gig),
      ...(gig.heldUntil ? [["Held until", formatInstant(gig.heldUntil, gig.timeZone ?? "UTC")] as const] : []),
    ],
    sms: `Your card was declined for ${shortDay(gig.eventDate)}. Nothing was charged. Try again: ${gig.link}`,
  };
}

export type HoldEnd = "expired" | "let_go" | "released_by_artist";

const holdEnds: Record<HoldEnd, (gig: Gig) => string> = {
  expired: (gig) =>
    `The deposit for ${gig.artistName}${atVenue(gig)} was not paid in time. Other promoters can request the date again.`,
  let_go: (gig) =>
    `You released the hold on ${gig.artistName}${atVenue(gig)}. Other promoters can request the date again.`,
  released_by_artist: (gig) =>
    `${gig.artistName} released the date${atVenue(gig)}. Other promoters can request it again.`,
};

/** To the promoter, when the hold has ended. The link opens the status page, not a payment. */
export function holdEnded(
  gig: Gig & { ended?: HoldEnd; again?: { from: Date; timeZone: string } | null },
): EmailContent {
  return {
    subject: `${day(gig.eventDate)} is no longer held for you`,
    name: gig.promoterName,
    paragraphs: [
      `${holdEnds[gig.ended ?? "expired"](gig)} Nothing was charged.`,
      gig.again
        ? `Your request is saved. You can hold the date again from ${formatInstant(gig.again.from, gig.again.timeZone)} if it is still available.`
        : "Your request is saved.",
    ],
    button: { label: "View status", href: gig.link },
    facts: when(gig),
    sms: `${shortDay(gig.eventDate)} with ${gig.artistName} is no longer held for you. Nothing was charged. ${gig.link}`,
  };
}

export function bookingLink(gig: Gig & { days: number }): EmailContent {
  return {
    subject: `Your booking for ${day(gig.eventDate)}`,
    name: gig.promoterName,
    paragraphs: [
      `Here is the link to your booking with ${gig.artistName} on ${longDay(gig.eventDate)}. It works for ${gig.days} days. Anyone who has the link can see the booking.`,
    ],
    button: { label: "View booking", href: gig.link },
    facts: when(gig),
    after: ["If you did not request this link, ignore this email. Nothing has changed."],
  };
}

/** To the promoter, when another promoter booked the date before the payment arrived. `refund` is what is left of the payment. */
export function dateLost(gig: Gig & { refund: Money }): EmailContent {
  return {
    subject: `${day(gig.eventDate)} is no longer available: we refund ${money(gig.refund)}`,
    title: "The date was booked by another promoter",
    name: gig.promoterName,
    paragraphs: [
      `Your payment reached us after ${gig.artistName} had been booked for ${longDay(gig.eventDate)}. We are sorry.`,
      `We refund ${money(gig.refund)} to your card. Banks take 5 to 10 days to show it. You do not need to do anything.`,
    ],
    button: { label: "View other dates", href: gig.link },
    facts: [...when(gig), ["Refund", money(gig.refund)]],
    sms: `${day(gig.eventDate)} was booked by another promoter before your payment arrived. We refund ${money(gig.refund)}.`,
  };
}

/** To the promoter, when a refund was sent, a dispute was lost (`byDispute`), or an admin paid it outside the provider (`paidOutside`: how). */
export function refundSent(
  gig: Gig & { refund: Money; byDispute?: boolean; paidOutside?: string | undefined },
): EmailContent {
  const show = `${gig.artistName} on ${longDay(gig.eventDate)}`;
  return {
    subject: gig.byDispute
      ? `Your bank has refunded ${money(gig.refund)}`
      : gig.paidOutside
        ? `We have paid your refund of ${money(gig.refund)} in another way`
        : `${money(gig.refund)} is on its way back to you`,
    name: gig.promoterName,
    paragraphs: gig.paidOutside
      ? [
          `Your card did not accept the refund of ${money(gig.refund)} for ${show}, so we have paid it in another way.`,
          `How it was paid: ${gig.paidOutside}`,
          "This was the refund that was due to you.",
        ]
      : [
          gig.byDispute
            ? `After the dispute, your bank refunded ${money(gig.refund)} for ${show}. This was the refund that was due to you. We send nothing more.`
            : `We have sent ${money(gig.refund)} for ${show} back to the card you paid with. Banks take 5 to 10 days to show it.`,
        ],
    button: { label: "View credit note", href: gig.link },
    facts: [...when(gig), ["Refund", money(gig.refund)]],
  };
}

/** What ended a booking: a cancellation, the release of an unpaid date, or a declined request or contract. `system` is a deadline. */
export type CanceledBy = Readonly<{
  by: "promoter" | "artist" | "admin" | "both" | "system";
  action: "canceled" | "declined_contract" | "declined_request";
}>;

/** Returns who ended the booking and how, for this recipient: "Electric Dreams has canceled your booking". */
function whoCanceled(gig: Gig & Side & CanceledBy): string {
  const { by, action, side } = gig;
  const booking = `the booking of ${gig.artistName} for ${longDay(gig.eventDate)}${atVenue(gig)}`;
  if (by === "system") return `${booking.replace("the", "The")} is canceled.`;
  if (by === "both") return `You have both ended ${booking} by agreement.`;
  const names = { promoter: gig.promoterName || "The promoter", artist: gig.artistName, admin: "An administrator" };
  const who = by === side ? "You have" : `${names[by]} has`;
  if (action === "canceled") return `${who} canceled ${booking}.`;
  return `${who} declined the ${action === "declined_contract" ? "contract" : "request"}, so ${booking} is canceled.`;
}

/** To both sides, when a booking is canceled. `kept` is the cancellation fee that the artist gets or the promoter is not refunded. */
export function bookingCanceled(
  gig: Gig &
    Side &
    CanceledBy & {
      /** The chosen reason. `note` is what the canceling party wrote. */
      reason?: string | null;
      note?: string | null;
      refund?: Money | null;
      kept?: Money | null;
      agreed?: boolean;
      payable?: { from: Date; timeZone: string };
    },
): EmailContent {
  const by = gig.agreed ? "As you both agreed" : "By the cancellation terms";
  return {
    subject: `Canceled: ${other(gig)}, ${day(gig.eventDate)}`,
    name: reader(gig),
    paragraphs: [
      `${whoCanceled(gig)}${gig.reason ? ` ${gig.reason}` : ""} The date is free again.`,
      ...(gig.refund && gig.side === "promoter"
        ? [`We refund ${money(gig.refund)} to the card you paid with. Banks take 5 to 10 days to show it.`]
        : []),
      ...(gig.kept && gig.side === "artist"
        ? [
            `${by} you keep ${money(gig.kept)} after the commission.${gig.payable ? ` It is paid out from ${formatInstant(gig.payable.from, gig.payable.timeZone)}, once refunds are confirmed.` : ""}`,
          ]
        : []),
      ...(gig.kept && gig.side === "promoter" ? [`${by} ${money(gig.kept)} is not refunded.`] : []),
    ],
    ...(gig.note ? { quote: gig.note } : {}),
    button: { label: "View booking", href: gig.link },
    facts: when(gig),
    sms: [whoCanceled(gig), gig.reason, gig.note && `"${oneLine(gig.note, 120)}"`, gig.link].filter(Boolean).join(" "),
  };
}
