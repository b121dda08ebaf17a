import { oneLine } from "#delivery/rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { type BalanceAhead, balanceLine } from "./balance-line.ts";
import {
  type EmailContent,
  day,
  longDay,
  type Money,
  money,
  payableText,
  refundDuringDisputeText,
  refundText,
  shortDay,
  waitingRefundText,
  detail,
  texts,
} from "./email.ts";

/** The data of every email about a booking. Dates are YYYY-MM-DD, times HH:MM in the venue's time zone. */
export type BookingDetails = {
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
/** Of an email whose `link` pays. `page` is the recipient's page of the booking, which a guest's signed link opens. */
export type PaysByLink = { page?: string | null };

/** Returns the text link to the recipient's page, and how another payer gets the payment link without access to that page. */
export const paymentLinkFooter = (
  kind: "deposit" | "balance",
  { page }: PaysByLink,
  label = "View booking",
): Pick<EmailContent, "link" | "after"> & { after: string[] } => ({
  ...(page ? { link: { label, href: page } } : {}),
  after: [`Does someone else pay? Send them only the payment link. It pays this ${kind} once and opens nothing else.`],
});
export type Side = { side: "promoter" | "artist" };

export const recipientName = (booking: BookingDetails & Partial<Side>) =>
  booking.side === "artist" ? booking.artistName : booking.promoterName;
export const otherName = (booking: BookingDetails & Partial<Side>) =>
  booking.side === "artist" ? booking.promoterName : booking.artistName;

export const eventDetails = (booking: BookingDetails): readonly [string, string][] => [
  ["Artist", booking.artistName],
  ["Date", longDay(booking.eventDate)],
  ...detail("Starts", booking.eventTime?.slice(0, 5)),
  ...detail("Venue", booking.venueName),
  ["Booking", booking.number],
];

/** What emails about a booking have in common: greeting, button and details. Without a side it is the promoter's. */
export const aboutBooking = (booking: BookingDetails & Partial<Side>, label = "View booking") => ({
  name: recipientName(booking),
  button: { label, href: booking.link },
  details: eventDetails(booking),
});

export const atVenue = (booking: BookingDetails) => (booking.venueName ? ` at ${booking.venueName}` : "");
export const dayAtVenue = (booking: BookingDetails) => `${longDay(booking.eventDate)}${atVenue(booking)}`;

export const sum = (label: string, amount: Money | null | undefined) => detail(label, amount && money(amount));

export const bookingConfirmation = (
  booking: BookingDetails & Side & BalanceAhead & { price?: Money | null },
): EmailContent => ({
  subject: `Booked: ${otherName(booking)}, ${day(booking.eventDate)}`,
  title: `${day(booking.eventDate)} is booked`,
  ...aboutBooking(booking),
  paragraphs: [
    booking.side === "artist"
      ? `${booking.promoterName} has booked you${atVenue(booking)}. The date is blocked in your calendar.`
      : `${booking.artistName} plays${atVenue(booking)}. The date is yours.`,
    "We send the contract within 24 hours, for both of you to sign.",
  ],
  details: [...eventDetails(booking), ...sum("Price", booking.price), ...balanceLine(booking)],
  sms: `Booked: ${otherName(booking)}, ${shortDay(booking.eventDate)}, ${booking.venueName}. ${booking.link}`,
});

export function depositReceived(booking: BookingDetails & Side & BalanceAhead & { paid: Money }): EmailContent {
  const paid = money(booking.paid);
  return {
    subject:
      booking.side === "artist" ? `Deposit paid for ${day(booking.eventDate)}` : `We received your deposit of ${paid}`,
    ...aboutBooking(booking, booking.side === "promoter" ? "View receipt" : "View booking"),
    paragraphs: [
      booking.side === "artist"
        ? `${booking.promoterName} has paid the deposit of ${paid}. We hold it until the show is over.`
        : `Thank you. We received your deposit of ${paid} for ${booking.artistName} on ${longDay(booking.eventDate)}.`,
    ],
    details: [...eventDetails(booking), ["Deposit, paid", paid], ...balanceLine(booking)],
    sms: `Deposit of ${paid} for ${shortDay(booking.eventDate)} received. ${booking.link}`,
  };
}

/** `hasBegun`: the show has begun, because its balance can be paid until 30 days after it. */
export function balanceReceived(booking: BookingDetails & Side & { paid: Money; hasBegun?: boolean }): EmailContent {
  const paid = money(booking.paid);
  const { hasBegun = false } = booking;
  return {
    subject:
      booking.side === "artist" ? `Balance paid for ${day(booking.eventDate)}` : `We received your balance of ${paid}`,
    ...aboutBooking(booking, booking.side === "promoter" ? "View receipt" : "View booking"),
    paragraphs: [
      booking.side === "artist"
        ? `The balance of ${paid} for ${booking.promoterName} has been paid. You are paid ${hasBegun ? "once the show is confirmed" : "after the show"}.`
        : `Thank you. Everything for ${booking.artistName} is paid.${hasBegun ? "" : ` See you on ${longDay(booking.eventDate)}.`}`,
    ],
    details: [...eventDetails(booking), ["Balance, paid", paid]],
    sms: `Balance of ${paid} for ${shortDay(booking.eventDate)} received. ${booking.link}`,
  };
}

/** Payment Failed, to the promoter. `reason` is the provider's, in plain words. */
export const paymentFailed = (
  booking: BookingDetails & PaysByLink & { due: Money; kind: "deposit" | "balance"; reason?: string | null },
): EmailContent => ({
  subject: `Your ${booking.kind} of ${money(booking.due)} was not paid`,
  ...aboutBooking(booking, booking.kind === "deposit" ? "Pay Deposit" : "Pay Balance"),
  paragraphs: [
    `The payment of the ${booking.kind} for ${booking.artistName} on ${longDay(booking.eventDate)} did not go through${booking.reason ? `: ${booking.reason.replace(/\.$/, "")}` : ""}. Nothing was charged.`,
    "You can try again, with the same card or another one.",
  ],
  details: [...eventDetails(booking), [booking.kind === "deposit" ? "Deposit" : "Balance", money(booking.due)]],
  ...paymentLinkFooter(booking.kind, booking),
  sms: `Your ${booking.kind} of ${money(booking.due)} for ${shortDay(booking.eventDate)} was not paid. Try again: ${booking.link}`,
});

export function checkoutDeclined(
  booking: BookingDetails & PaysByLink & { due: Money; heldUntil?: Date | null; timeZone?: string },
): EmailContent {
  const held = booking.heldUntil
    ? ` The date stays held for you until ${formatInstant(booking.heldUntil, booking.timeZone ?? "UTC")}.`
    : "";
  return {
    subject: `Your card was declined for ${day(booking.eventDate)}`,
    ...aboutBooking(booking, "Try again"),
    paragraphs: [
      `The bank declined the payment of ${money(booking.due)} for ${booking.artistName}. Nothing was charged.${held}`,
      "Try another card, or contact your bank.",
    ],
    details: [
      ...eventDetails(booking),
      ...(booking.heldUntil
        ? [["Held until", formatInstant(booking.heldUntil, booking.timeZone ?? "UTC")] as const]
        : []),
    ],
    ...paymentLinkFooter("deposit", booking),
    sms: `Your card was declined for ${shortDay(booking.eventDate)}. Nothing was charged. Try again: ${booking.link}`,
  };
}

/** `unconfirmed`: the checkout is over, and the deposit may have been paid. */
export type HoldEnd = "expired" | "released_by_promoter" | "released_by_artist" | "unconfirmed";

const holdEnds: Record<HoldEnd, (booking: BookingDetails) => string> = {
  expired: (booking) =>
    `The deposit for ${booking.artistName} was not paid in time. Other promoters can request the date again.`,
  released_by_promoter: (booking) =>
    `You released the hold on ${booking.artistName}${atVenue(booking)}. Other promoters can request the date again.`,
  released_by_artist: (booking) => `${booking.artistName} released the date${atVenue(booking)}.`,
  unconfirmed: (booking) =>
    `The time to pay the deposit for ${booking.artistName} is over. Other promoters can request the date again.`,
};

const chargeText = (ended?: HoldEnd) =>
  ended === "unconfirmed"
    ? "We do not know yet whether your deposit was paid. If it was, we book the date or refund you."
    : "Nothing was charged.";

type NightHeld = Readonly<{ until: Date; timeZone: string }>;

/** Of a promoter whose ranked hold of the night outlasts the checkout. */
const checkoutEnded = (
  booking: BookingDetails & { ended?: HoldEnd; again?: { from: Date } | null },
  { until, timeZone }: NightHeld,
): EmailContent => ({
  subject: `Your checkout for ${day(booking.eventDate)} has ended`,
  ...aboutBooking(booking, "View status"),
  paragraphs: [
    `${booking.ended === "unconfirmed" ? "" : `${booking.ended === "released_by_artist" ? `${booking.artistName} ended the checkout` : `The deposit for ${booking.artistName} was not paid`}. `}${chargeText(booking.ended)}`,
    `Your hold of the night runs until ${formatInstant(until, timeZone)}.${booking.again ? ` You can open the checkout again ${booking.again.from < until ? `from ${formatInstant(booking.again.from, timeZone)}` : "until then"}.` : ""}`,
  ],
  sms: `Your checkout for ${shortDay(booking.eventDate)} with ${booking.artistName} has ended. ${chargeText(booking.ended)} Your hold of the night stays. ${booking.link}`,
});

/** To the promoter, when the hold of a checkout has ended. The link opens the status page, not a payment. */
export const holdEnded = (
  booking: BookingDetails & {
    ended?: HoldEnd;
    again?: { from: Date; timeZone: string } | null;
    nightHeld?: NightHeld | null;
  },
): EmailContent => (booking.nightHeld ? checkoutEnded(booking, booking.nightHeld) : dateNotHeld(booking));

const dateNotHeld = (
  booking: BookingDetails & { ended?: HoldEnd; again?: { from: Date; timeZone: string } | null },
): EmailContent => ({
  subject: `${day(booking.eventDate)} is no longer held for you`,
  ...aboutBooking(booking, "View status"),
  paragraphs: [
    `${holdEnds[booking.ended ?? "expired"](booking)} ${chargeText(booking.ended)}`,
    booking.again
      ? `Your request is saved. You can hold the date again from ${formatInstant(booking.again.from, booking.again.timeZone)} if it is still available.`
      : "Your request is saved.",
  ],
  sms: `${shortDay(booking.eventDate)} with ${booking.artistName} is no longer held for you. ${chargeText(booking.ended)} ${booking.link}`,
});

/** `days` for which the link opens the booking without signing in. Null if the booking belongs to an account. `corrected`: its address was corrected to the recipient's. */
export const bookingLink = (booking: BookingDetails & { days: number | null; corrected?: boolean }): EmailContent => ({
  subject: `Your booking for ${day(booking.eventDate)}`,
  ...aboutBooking(booking),
  paragraphs: texts(
    `Here is the link to your booking with ${booking.artistName} on ${longDay(booking.eventDate)}. ${
      booking.days === null
        ? "It opens after you sign in to your account."
        : `It works for ${booking.days} days. Anyone who has the link can see the booking.`
    }`,
    booking.corrected &&
      "The email address of this booking was corrected to yours. Earlier emails went to the former address and are not sent again. The page of the booking shows what is due, signed and decided.",
  ),
  after: [
    booking.corrected
      ? "If this is not your booking, ignore this email."
      : "If you did not request this link, ignore this email. Nothing has changed.",
  ],
});

/** To the promoter, when the date was no longer available as the payment arrived. `refund` is what is left of the payment. */
export const dateLost = (booking: BookingDetails & { refund: Money }): EmailContent => ({
  subject: `${day(booking.eventDate)} is no longer available: we refund ${money(booking.refund)}`,
  title: "The date is no longer available",
  ...aboutBooking(booking, "View other dates"),
  paragraphs: [
    `Your payment for ${booking.artistName} on ${longDay(booking.eventDate)} reached us when the date was no longer available. We are sorry.`,
    `${refundText(booking.refund)} You do not need to do anything.`,
  ],
  details: [...eventDetails(booking), ["Refund", money(booking.refund)]],
  sms: `${day(booking.eventDate)} was no longer available when your payment arrived. We refund ${money(booking.refund)}.`,
});

/** What ended a booking: a cancellation, the release of an unpaid date, or a declined request or contract. `system` is a deadline. `wasRequest`: the date was not booked. */
export type CanceledBy = Readonly<{
  by: "promoter" | "artist" | "admin" | "both" | "system";
  action: "canceled" | "declined_contract" | "declined_request";
  wasRequest?: boolean;
}>;

/** Returns who ended the booking and how, for this recipient: "Electric Dreams canceled your booking for Saturday 13 February". */
function whoCanceled(booking: BookingDetails & Side & CanceledBy): string {
  const { by, action, side, wasRequest } = booking;
  const [what, artistOf] = wasRequest ? ["request", "to"] : ["booking", "of"];
  const other =
    side === "promoter" ? `${artistOf} ${booking.artistName}` : `of ${booking.promoterName || "the promoter"}`;
  // The other party is already named as the one who ended it.
  const isNamed = (by === "promoter" || by === "artist") && by !== side;
  const description = `${side === "promoter" ? "your" : "the"} ${what}${isNamed ? "" : ` ${other}`} for ${dayAtVenue(booking)}`;
  if (by === "system") return `${capitalized(description)} ${wasRequest ? "has ended" : "is canceled"}.`;
  if (by === "both") return `You both ended ${description} by agreement.`;
  const who = by === side ? "You" : cancelerName(by, booking);
  if (action === "declined_contract") return `${who} declined the contract, so ${description} is canceled.`;
  return `${who} ${action === "declined_request" ? "declined" : "canceled"} ${description}.`;
}

const cancelerName = (by: "promoter" | "artist" | "admin", { promoterName, artistName }: BookingDetails): string =>
  ({ promoter: promoterName || "The promoter", artist: artistName, admin: "An admin" })[by];

/** Returns the line before a note, "Electric Dreams writes:", or null if no single party wrote it. */
function noteAuthor(booking: BookingDetails & Side & CanceledBy): string | null {
  const { by, side } = booking;
  if (by === "system" || by === "both") return null;
  return by === side ? "You wrote:" : `${cancelerName(by, booking)} writes:`;
}

type Canceled = BookingDetails &
  Side &
  CanceledBy & {
    /** The chosen reason. `note` is what the canceling party wrote. */
    reason?: string | null;
    note?: string | null;
    isFree?: boolean;
    refund?: Money | null;
    inTwo?: boolean;
    /** The part of the refund that waits until a dispute of its payment has ended. */
    waiting?: Money | null;
    cancellationFee?: Money | null;
    returnedBefore?: Money | null;
    agreed?: boolean;
    blocksNight?: boolean;
    payable?: Parameters<typeof payableText>[0];
  };

const moneyOfPromoter = ({ refund, waiting, inTwo, cancellationFee }: Canceled, by: string) => [
  refund && (waiting ? refundDuringDisputeText(refund, waiting) : refundText(refund, inTwo)),
  cancellationFee && `${by} ${money(cancellationFee)} is not refunded.`,
];

const moneyOfArtist = ({ refund, waiting, cancellationFee, payable, blocksNight }: Canceled, by: string) => [
  cancellationFee
    ? `${by} you keep ${money(cancellationFee)} after the commission.${payable ? ` ${payableText(payable)}` : ""}`
    : refund && `${money(refund)} is refunded${waitingRefundText(waiting)}. You are paid nothing for this booking.`,
  blocksNight &&
    "We have blocked this night in your calendar and ended its holds, requests and checkouts. Other booked shows stay. You can unblock the night in your calendar.",
];

/** To both sides, when a booking is canceled. `cancellationFee` is what the artist gets or the promoter is not refunded. */
export function bookingCanceled(booking: Canceled): EmailContent {
  const by = booking.agreed
    ? "As you both agreed,"
    : booking.by === "admin"
      ? "By this decision"
      : `By the cancellation terms${booking.returnedBefore ? `, and because ${money(booking.returnedBefore)} was returned to the payer before,` : ""}`;
  return {
    subject: `${booking.wasRequest && booking.by === "system" ? "Request ended" : "Canceled"}: ${otherName(booking)}, ${day(booking.eventDate)}`,
    ...aboutBooking(booking),
    paragraphs: texts(
      `${whoCanceled(booking)}${booking.reason ? ` ${booking.reason}` : ""}${booking.isFree && !booking.wasRequest ? ` ${day(booking.eventDate)} is free again.` : ""}`,
      ...(booking.side === "promoter" ? moneyOfPromoter(booking, by) : moneyOfArtist(booking, by)),
      booking.note && noteAuthor(booking),
    ),
    ...(booking.note ? { quote: booking.note } : {}),
    sms: [whoCanceled(booking), booking.reason, booking.note && `"${oneLine(booking.note, 120)}"`, booking.link]
      .filter(Boolean)
      .join(" "),
  };
}
