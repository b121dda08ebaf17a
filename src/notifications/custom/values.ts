import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { TemplateName, TemplateParams } from "../catalog/render-email.ts";
import { atVenue, type BookingDetails, type Side } from "../templates/bookings.ts";
import { concludedBy, signingOrder } from "../templates/contracts.ts";
import { type EmailContent, day, longDay, type Money, money, shortDay } from "../templates/email.ts";
import {
  type EditableEmail,
  type EmailRecipient,
  type EmailText,
  emailCatalog,
  fillText,
  paragraphsOf,
} from "./rules.ts";

/** A card declined at the open checkout counts as Payment Failed. */
export const editableOf = (template: TemplateName): EditableEmail | undefined =>
  template === "checkout_declined"
    ? "payment_failed"
    : Object.hasOwn(emailCatalog, template)
      ? (template as EditableEmail)
      : undefined;

type Params = BookingDetails &
  Partial<
    Side & {
      price: Money | null;
      balance: Money | null;
      balanceDue: string | null;
      paid: Money;
      due: Money;
      kind: string;
      reason: string | null;
      until: Date;
      timeZone: string;
      signsFirst: boolean;
      clicked: boolean;
    }
  >;

const sumOf = (amount: Money | null | undefined) => (amount ? money(amount) : "");

/** Variables that this email does not have are empty. */
export const emailValues = (booking: Params): Record<string, string> => ({
  promoter_name: booking.promoterName,
  artist_name: booking.artistName,
  event_date: longDay(booking.eventDate),
  event_day: day(booking.eventDate),
  venue_name: booking.venueName,
  at_venue: atVenue(booking),
  booking_number: booking.number,
  price: sumOf(booking.price),
  balance: sumOf(booking.balance),
  balance_due: booking.balanceDue ? shortDay(booking.balanceDue) : "",
  amount: sumOf(booking.paid ?? booking.due),
  payment: booking.kind ?? "deposit",
  reason: booking.reason ? `: ${booking.reason.replace(/\.$/, "")}` : "",
  signing_order: signingOrder(booking),
  concluded_by: concludedBy(booking),
  sign_until: booking.until ? formatInstant(booking.until, booking.timeZone ?? "UTC") : "",
});

export function withText(email: EmailContent, params: object, custom: EmailText): EmailContent {
  const values = emailValues(params as Params);
  const { title: _title, ...rest } = email;
  return {
    ...rest,
    subject: fillText(custom.subject, values),
    paragraphs: paragraphsOf(custom.text).map((paragraph) => fillText(paragraph, values)),
  };
}

export const recipientOf = (params: object): EmailRecipient =>
  "side" in params && params.side === "artist" ? "artist" : "promoter";

export function exampleParams<T extends EditableEmail>(
  template: T,
  side: EmailRecipient,
  link: string,
  poster: string | null = null,
): TemplateParams<T> {
  const usd = (amount: number) => ({ amount, currency: "usd" });
  const booking = {
    number: "SD-7K3MPQ",
    artistName: "Electric Dreams",
    promoterName: "Hannah Whitt",
    eventDate: "2027-02-13",
    eventTime: "20:30",
    venueName: "The Waterworks",
    link,
    poster,
    side,
  };
  const balance = { balance: usd(112_500), balanceDue: "2027-01-16" };
  const examples: { [Name in EditableEmail]: TemplateParams<Name> } = {
    booking_confirmation: { ...booking, price: usd(150_000), ...balance },
    deposit_received: { ...booking, paid: usd(37_500), ...balance },
    contract_sent: {
      ...booking,
      until: new Date("2027-01-20T20:00:00Z"),
      lastUntil: new Date("2027-01-23T20:00:00Z"),
      timeZone: "America/Chicago",
      price: usd(150_000),
      deposit: usd(37_500),
      balance: usd(112_500),
    },
    contract_signed: { ...booking, ...balance },
    payment_failed: { ...booking, due: usd(37_500), kind: "deposit", reason: "The card was declined." },
  };
  return examples[template];
}
