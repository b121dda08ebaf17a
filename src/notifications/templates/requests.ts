import type { EmailContent } from "./email.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { day, longDay, type Money, money, shortDay } from "./format.ts";
import { atVenue, type Gig, sum, when } from "./bookings.ts";

/** The deadline to answer a request without a deposit, in the venue's time zone. */
type AnswerBy = { at: Date; timeZone: string };
const answerTime = ({ at, timeZone }: AnswerBy) => formatInstant(at, timeZone);

/** To the promoter, after a request. With `deposit` the link pays. `needsConfirmation`: another browser used this account's address. */
export function requestReceived(
  gig: Gig & {
    price?: Money | null;
    deposit?: Money | null;
    answerBy?: AnswerBy | null;
    needsConfirmation?: boolean;
    holdUntil?: string | null;
  },
): EmailContent {
  if (gig.needsConfirmation) return confirmRequest(gig);
  const next = gig.deposit
    ? `Pay the deposit of ${money(gig.deposit)} to book the date. ${gig.holdUntil ? `Your hold of the night ends ${gig.holdUntil}.` : "Until then, other promoters can request it."}`
    : gig.answerBy
      ? `No deposit is required. ${gig.artistName} accepts or declines by ${answerTime(gig.answerBy)}. We notify you immediately. If there is no answer, the request expires. ${gig.holdUntil ? "Until then, your hold of the night stays." : "Until it is accepted, other promoters can book the date."}`
      : `Nothing is due now. ${gig.artistName} sees your request and answers you by email.`;
  return {
    subject: `Your request for ${day(gig.eventDate)}`,
    name: gig.promoterName,
    paragraphs: [
      `We have your request for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)}.`,
      next,
      ...(gig.answerBy
        ? ["Once it is accepted, we send the contract within 24 hours. The whole price is due as the balance."]
        : gig.price
          ? ["We send the contract within 24 hours."]
          : []),
    ],
    button: gig.deposit ? { label: "Pay Deposit", href: gig.link } : { label: "View request", href: gig.link },
    facts: [...when(gig), ...sum("Price", gig.price), ...sum("Deposit", gig.deposit)],
    after: ["If you did not send this request, ignore this email. Nothing is booked or charged."],
  };
}

/** Asks the account's owner to confirm. Repeats no form input, because anyone could have sent it. */
const confirmRequest = (gig: Gig): EmailContent => ({
  subject: `Was this you? A request for ${day(gig.eventDate)}`,
  name: "",
  paragraphs: [
    `Someone requested ${gig.artistName} for ${longDay(gig.eventDate)} with your email address, without signing in.`,
    "Sign in to confirm the request or to withdraw it. Nothing can be paid before you confirm.",
  ],
  button: { label: "View request", href: gig.link },
  facts: when(gig),
  after: ["If this was not you, withdraw the request, or ignore this email. Nothing is booked or charged."],
});

export type PromoterProfile = {
  organizationName: string;
  website: string;
  description: string;
  preferredContactMethod: "email" | "phone" | "platform";
};

const contactMethods = { email: "Email", phone: "Phone", platform: "This platform" } as const;

const aboutPromoter = (promoter: PromoterProfile | null | undefined): [string, string][] =>
  promoter
    ? (
        [
          ["Organization", promoter.organizationName],
          ["Website", promoter.website],
          ["About them", promoter.description],
          ["Prefers contact by", contactMethods[promoter.preferredContactMethod]],
        ] as [string, string][]
      ).filter(([, value]) => value !== "")
    : [];

export function newRequest(
  gig: Gig & {
    eventType?: string | null;
    guestCount?: number | null;
    duration?: string | null;
    specialRequests?: string | null;
    price?: Money | null;
    /** Set if no deposit is required: the artist's deadline to accept or decline. */
    answerBy?: AnswerBy | null;
    commission?: Money | null;
    net?: Money | null;
    promoter?: PromoterProfile | null;
    travel?: { miles: number; radius: number } | null;
  },
): EmailContent {
  return {
    subject: `New request: ${gig.venueName}, ${day(gig.eventDate)}`,
    title: `A request for ${day(gig.eventDate)}`,
    name: gig.artistName,
    paragraphs: [
      gig.answerBy
        ? `${gig.promoterName} wants to book you${atVenue(gig)}. You require no deposit. Accept or decline by ${answerTime(gig.answerBy)}. Accepting books the date. If you do not answer, the request expires.`
        : `${gig.promoterName} wants to book you${atVenue(gig)}. The date is booked only when the deposit is paid.`,
    ],
    ...(gig.specialRequests ? { quote: gig.specialRequests } : {}),
    button: { label: gig.answerBy ? "Accept or decline" : "View request", href: gig.link },
    facts: [
      ...when(gig),
      ...(gig.eventType ? [["Event", gig.eventType] as const] : []),
      ...(gig.guestCount ? [["Guests", String(gig.guestCount)] as const] : []),
      ...(gig.duration ? [["Duration", gig.duration] as const] : []),
      ...sum("Price", gig.price),
      ...sum("Commission", gig.commission),
      ...sum("You receive", gig.net),
      ...(gig.travel
        ? [["Distance", `about ${gig.travel.miles} miles; you travel ${gig.travel.radius}`] as const]
        : []),
      ...aboutPromoter(gig.promoter),
    ],
    sms: `New request: ${gig.venueName}, ${shortDay(gig.eventDate)}. ${gig.link}`,
  };
}
