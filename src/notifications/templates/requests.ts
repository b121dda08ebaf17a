import { holdLimits } from "#calendar/checkout-hold.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import {
  aboutBooking,
  atVenue,
  paymentLinkFooter,
  type BookingDetails,
  dayAtVenue,
  type PaysByLink,
  sum,
  eventDetails,
} from "./bookings.ts";
import { type EmailContent, day, longDay, type Money, money, shortDay, detail, texts } from "./email.ts";

/** The deadline to answer a request without a deposit, in the venue's time zone. */
type Deadline = { at: Date; timeZone: string };
const deadlineText = ({ at, timeZone }: Deadline) => formatInstant(at, timeZone);

/** To the promoter, after a request. With `deposit` the link pays. `holdUntil`: until when the date is held, as text with the zone. `needsConfirmation`: another browser used this account's address. */
export function requestReceived(
  booking: BookingDetails &
    PaysByLink & {
      price?: Money | null;
      deposit?: Money | null;
      answerBy?: Deadline | null;
      needsConfirmation?: boolean;
      byArtist?: "account" | "guest" | null;
      holdUntil?: string | null;
      /** Another promoter can place a hold that comes first, until the recipient opens a link of an email. */
      canBeHeld?: boolean;
    },
): EmailContent {
  if (booking.byArtist) return confirmRequestOfArtist(booking, booking.byArtist);
  if (booking.needsConfirmation) return confirmRequest(booking);
  const next = booking.deposit
    ? `Pay the deposit of ${money(booking.deposit)} to book the date. ${heldText(booking.holdUntil)}`
    : booking.answerBy
      ? `No deposit is required. ${booking.artistName} accepts or declines by ${deadlineText(booking.answerBy)}. We notify you immediately. If there is no answer, the request expires. ${booking.holdUntil ? "Until then, your hold of the night stays." : "Until it is accepted, other promoters can book the date."}`
      : `Nothing is due now. ${booking.artistName} sees your request and answers you by email.`;
  const { link, after } = booking.deposit ? paymentLinkFooter("deposit", booking, "View request") : { after: [] };
  return {
    subject: `Your request for ${day(booking.eventDate)}`,
    ...aboutBooking(booking, booking.deposit ? "Pay Deposit" : "View request"),
    paragraphs: texts(
      `We have your request for ${booking.artistName} on ${dayAtVenue(booking)}.`,
      next,
      booking.answerBy &&
        booking.canBeHeld &&
        "View the request to confirm your email address. Until then, other promoters can also place a hold on the date, which comes before your request.",
      booking.answerBy
        ? "Once it is accepted, we send the contract within 24 hours. The whole price is due as the balance."
        : booking.deposit && "We send the contract within 24 hours.",
    ),
    details: [...eventDetails(booking), ...sum("Price", booking.price), ...sum("Deposit", booking.deposit)],
    ...(link ? { link } : {}),
    after: [...after, "If you did not send this request, ignore this email. Nothing is booked or charged."],
  };
}

const heldText = (until: string | null | undefined) =>
  until
    ? `It is held for you until ${until}. If the deposit is not paid by then, your hold ends.`
    : `The payment page holds it for ${holdLimits.shownMinutes} minutes. Until you open that page, other promoters can request the date.`;

/** Requests the confirmation of the account's owner. Repeats no form input, because anyone could have sent it. */
const confirmRequest = (booking: BookingDetails): EmailContent => ({
  subject: `Was this you? A request for ${day(booking.eventDate)}`,
  name: "",
  paragraphs: [
    `Someone requested ${booking.artistName} for ${longDay(booking.eventDate)} with your email address, without signing in.`,
    "Sign in to confirm the request or to withdraw it. Nothing can be paid before you confirm.",
  ],
  button: { label: "View request", href: booking.link },
  details: eventDetails(booking),
  after: ["If this was not you, withdraw the request, or ignore this email. Nothing is booked or charged."],
});

const confirmRequestOfArtist = (booking: BookingDetails, by: "account" | "guest"): EmailContent => ({
  subject: `Do you want to book ${booking.artistName} for ${day(booking.eventDate)}?`,
  name: "",
  paragraphs: [
    `${booking.artistName} holds ${longDay(booking.eventDate)} for your email address, and asks you to confirm a booking request for it.`,
    by === "account"
      ? "Sign in to confirm the request or to withdraw it. Nothing can be paid before you confirm."
      : `View the request to confirm it. Then ${booking.artistName} can accept it.`,
  ],
  button: { label: "View request", href: booking.link },
  details: eventDetails(booking),
  after: ["If you do not know about this, ignore this email. Nothing is booked or charged."],
});

type PromoterProfile = {
  organizationName: string;
  website: string;
  description: string;
  preferredContactMethod: "email" | "phone" | "platform";
};

const contactMethods = { email: "Email", phone: "Phone", platform: "This platform" } as const;

const aboutPromoter = (promoter: PromoterProfile | null | undefined): [string, string][] => [
  ...detail("Organization", promoter?.organizationName),
  ...detail("Website", promoter?.website),
  ...detail("About them", promoter?.description),
  ...detail("Prefers contact by", promoter && contactMethods[promoter.preferredContactMethod]),
];

export const newRequest = (
  booking: BookingDetails & {
    eventType?: string | null;
    guestCount?: number | null;
    duration?: string | null;
    specialRequests?: string | null;
    price?: Money | null;
    /** Set if no deposit is required: the artist's deadline to accept or decline. */
    answerBy?: Deadline | null;
    commission?: Money | null;
    net?: Money | null;
    promoter?: PromoterProfile | null;
    /** Set if nothing can be paid on the site, so the artist answers by email. */
    contact?: { email: string; phone: string } | null;
    travel?: { miles: number; radius: number } | null;
  },
): EmailContent => ({
  subject: `New request: ${booking.venueName}, ${day(booking.eventDate)}`,
  title: `A request for ${day(booking.eventDate)}`,
  name: booking.artistName,
  paragraphs: [
    booking.answerBy
      ? `${booking.promoterName} wants to book you${atVenue(booking)}. You require no deposit. Accept or decline by ${deadlineText(booking.answerBy)}. Accepting books the date. If you do not answer, the request expires.`
      : booking.contact
        ? `${booking.promoterName} wants to book you${atVenue(booking)}. ${booking.price ? "Nothing" : "Your price is on request, so nothing"} can be paid here yet. Answer ${booking.promoterName} by email.`
        : `${booking.promoterName} wants to book you${atVenue(booking)}. The date is booked only when the deposit is paid.`,
  ],
  ...(booking.specialRequests ? { quote: booking.specialRequests } : {}),
  button: { label: booking.answerBy ? "Accept or decline" : "View request", href: booking.link },
  details: [
    ...eventDetails(booking),
    ...detail("Event", booking.eventType),
    ...detail("Guests", booking.guestCount ? String(booking.guestCount) : null),
    ...detail("Duration", booking.duration),
    ...sum("Price", booking.price),
    ...sum("Commission", booking.commission),
    ...sum("You receive", booking.net),
    ...detail(
      "Distance",
      booking.travel &&
        `about ${booking.travel.miles.toLocaleString("en-US")} miles; you travel ${booking.travel.radius}`,
    ),
    ...detail("Email", booking.contact?.email),
    ...detail("Phone", booking.contact?.phone),
    ...aboutPromoter(booking.promoter),
  ],
  sms: `New request: ${booking.venueName}, ${shortDay(booking.eventDate)}. ${booking.link}`,
});
