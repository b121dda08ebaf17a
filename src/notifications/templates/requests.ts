import type { EmailContent } from "./email.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { day, longDay, type Money, money, shortDay } from "./format.ts";
import { atVenue, type Gig, sum, when } from "./bookings.ts";

/** Until when an artist may answer a request without a deposit, on the clock of the venue. */
type AnswerBy = { at: Date; timeZone: string };
const answerTime = ({ at, timeZone }: AnswerBy) => formatInstant(at, timeZone);

/** To the promoter after the form was sent. With `deposit` the link pays. `needsConfirmation`: another browser used this account's address. */
export function requestReceived(
  gig: Gig & {
    price?: Money | null;
    deposit?: Money | null;
    answerBy?: AnswerBy | null;
    needsConfirmation?: boolean;
  },
): EmailContent {
  if (gig.needsConfirmation) return confirmRequest(gig);
  const next = gig.deposit
    ? `The date becomes yours when the deposit of ${money(gig.deposit)} is paid. Until then others may ask for it too.`
    : gig.answerBy
      ? `No deposit is asked for. ${gig.artistName} accepts or declines by ${answerTime(gig.answerBy)}, and you are told at once. Without an answer the request ends then. Until it is accepted others may book the date.`
      : `Nothing is due now. ${gig.artistName} sees your request and answers you by mail.`;
  return {
    subject: `Your request for ${day(gig.eventDate)}`,
    name: gig.promoterName,
    paragraphs: [
      `We have your request for ${gig.artistName} on ${longDay(gig.eventDate)}${atVenue(gig)}.`,
      next,
      ...(gig.answerBy
        ? ["Once it is accepted, the contract follows within 24 hours, and the whole price is the balance."]
        : gig.price
          ? ["The contract follows within 24 hours."]
          : []),
    ],
    button: gig.deposit ? { label: "Pay Deposit", href: gig.link } : { label: "See your request", href: gig.link },
    facts: [...when(gig), ...sum("Price", gig.price), ...sum("Deposit", gig.deposit)],
    after: ["You did not ask for this? Then ignore this mail: nothing is booked and nothing is charged."],
  };
}

/** Nothing that was written into the form is passed on: anyone could have sent it. */
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
    /** Set where no deposit takes the date: the artist accepts or declines until then. */
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
        ? `${gig.promoterName} asks for you${atVenue(gig)}. You ask for no deposit: accept or decline by ${answerTime(gig.answerBy)}. Accepting books the date; without an answer the request ends then.`
        : `${gig.promoterName} asks for you${atVenue(gig)}. The date is taken only once the deposit is paid.`,
    ],
    ...(gig.specialRequests ? { quote: gig.specialRequests } : {}),
    button: { label: gig.answerBy ? "Accept or decline" : "See the request", href: gig.link },
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
