import { shareUrl } from "#artists/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { BookingDetails } from "#notifications/index.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { documentsOn, paths } from "#platform/site-paths.rules.ts";
import { formatWeekdayDate } from "#platform/time/calendar.rules.ts";
import { makeLinkToken } from "../links/access.ts";
import { makePayLink } from "../links/pay-links.ts";
import type { Booking } from "../store.ts";
import { type BookedArtist, findWithArtist } from "../views.ts";

export type EmailContext = { booking: Booking; artist: BookedArtist; services: Payments };

export async function emailContextOf(tx: Tx, services: Payments, bookingId: string): Promise<EmailContext> {
  const found = await findWithArtist(tx, bookingId);
  if (!found) throw new Error(`there is no booking ${bookingId} to notify about`);
  return { ...found, services };
}

/** Returns the absolute URL of the artist's poster as PNG, or null if the profile is hidden or inactive. */
export const posterOf = ({ artist, services }: EmailContext): string | null =>
  artist.is_active && artist.is_public
    ? `${services.config.publicUrl}${shareUrl({ ...artist, location: artist.location ?? "" })}`
    : null;

/** Returns the show for an email in the venue's time, with the link to the recipient's page. Until the promoter's mailbox is verified it omits text from the form, because anyone could have entered the address. */
export function bookingDetailsFor(context: EmailContext, side: "promoter" | "artist"): BookingDetails {
  const { booking, artist, services } = context;
  // An accepted request without a deposit is no payment.
  const isPaid = booking.deposit_paid_at !== null && booking.answer_due_at === null;
  const showsForm = side === "artist" || booking.email_proven_at !== null || isPaid;
  return {
    number: booking.number,
    artistName: artist.name,
    poster: posterOf(context),
    promoterName: showsForm ? booking.promoter_name : "",
    eventDate: booking.event_date,
    eventTime: booking.event_time,
    venueName: showsForm ? booking.venue_name : "",
    link:
      side === "artist" ? `${services.config.publicUrl}${paths.artistArea.booking(booking.id)}` : promoterPage(context),
  };
}

/** Returns the booking's page in the account, or without an account the page that a signed link opens. */
export const promoterPage = ({ services, booking }: EmailContext): string => {
  const { publicUrl } = services.config;
  if (booking.promoter_user_id !== null) return `${publicUrl}${paths.promoterArea.booking(booking.id)}`;
  return `${publicUrl}${paths.guestBooking(booking.id, makeLinkToken(services.keys, booking, services.clock.now()))}`;
};

/** Returns the link to the promoter's page at its receipts. The document is issued later, and a direct link would expire after 10 minutes. */
export const documentsLink = (context: EmailContext, side: "promoter" | "artist"): { link?: string } =>
  side === "promoter" ? { link: documentsOn(promoterPage(context)) } : {};

export const bookPage = ({ services, artist }: EmailContext) =>
  `${services.config.publicUrl}${paths.book(artist.slug)}`;

export const moneyOrNull = ({ booking }: EmailContext, amount: number) =>
  amount > 0 ? { amount, currency: booking.currency } : null;

export const dedupeFields = (context: EmailContext, key: string) => ({
  refId: context.booking.id,
  dedupeKey: `${context.booking.id} ${key}`,
});

/** Returns "Electric Dreams, Sat 13 Feb 2027", for a log entry, which has the number of the booking. */
export const eventSummary = ({ booking, artist }: EmailContext) =>
  `${artist.name}, ${formatWeekdayDate(booking.event_date)}`;

export const paymentLinks = async (tx: Tx, context: EmailContext, kind: PaymentKind) => ({
  link: await makePayLink(tx, context, kind),
  page: promoterPage(context),
});
