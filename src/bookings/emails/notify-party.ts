import { shareUrl } from "#artists/rules.ts";
import type { Channel } from "#delivery/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import {
  artistWants,
  type BookingDetails,
  enqueueMessage,
  type NewMessage,
  promoterWants,
  type TemplateFor,
  type TemplateName,
  type TemplateParams,
} from "#notifications/index.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { documentsOn, paths } from "#platform/site-paths.rules.ts";
import { formatWeekdayDate } from "#platform/time/calendar.rules.ts";
import { artistSettings, platformSettings, promoterSettings } from "#settings/index.ts";
import { verifiedMailbox, verifiedPhone } from "#users/index.ts";
import { makeLinkToken, bookingLinkDays } from "../links/access.ts";
import { makePayLink } from "../links/pay-links.ts";
import { invitationFile } from "../page/calendar-files.ts";
import { type Booking, findBooking } from "../store.ts";
import { artistOfBooking, type BookedArtist } from "../views.ts";

type Side = "promoter" | "artist";
export type Recipients = Partial<Record<Channel, string>>;
/** The parameters of a template without those `Given`. One of these may be replaced. */
type OwnParams<T extends TemplateName, Given> =
  TemplateParams<T> extends infer All ? (All extends unknown ? Omit<All, keyof Given> & Partial<Given> : never) : never;
type PartyMessage<T extends TemplateName, Given = BookingDetails> = Readonly<{
  template: T;
  /** Limits the message to one per recipient. */
  key: string;
  /** Besides the details of the booking, which link to the recipient's page of it. A function is only called if there is a recipient. */
  params: OwnParams<T, Given> | ((side: Side) => OwnParams<T, Given> | Promise<OwnParams<T, Given>>);
  attachment?: NewMessage<T>["attachment"];
  /** Attaches the show's calendar file, which adds, moves or removes the entry in the recipient's calendar. */
  calendar?: boolean;
}>;

/** Enqueues a message by email and SMS according to the recipient's preferences. Guests get every email and no SMS. Returns false if there is no recipient. */
export async function notifyParty<S extends Side, T extends TemplateFor<S>>(
  tx: Tx,
  context: EmailContext,
  side: S,
  message: PartyMessage<T>,
): Promise<boolean> {
  const { template, key, attachment } = message;
  const to =
    side === "artist"
      ? await artistRecipients(tx, context.artist, template as TemplateFor<"artist">)
      : await promoterRecipients(tx, context, template as TemplateFor<"promoter">);
  if (!to.email && !to.sms) return false;
  const own = await (typeof message.params === "function" ? message.params(side) : message.params);
  const params = { ...bookingDetailsFor(context, side), ...own } as TemplateParams<T>;
  for (const channel of ["email", "sms"] as const) {
    const recipient = to[channel];
    if (!recipient) continue;
    const attached =
      message.calendar && channel === "email" ? await invitationFor(tx, context, side, recipient) : attachment;
    await enqueueMessage(tx, {
      template,
      channel,
      to: recipient,
      params,
      ...dedupeFields(context, key),
      ...(attached ? { attachment: attached } : {}),
    });
  }
  return true;
}

/** Sends `notifyParty` to both parties or the given ones. The parameters have the side. */
export async function notifyParties<T extends TemplateFor<Side>>(
  tx: Tx,
  context: EmailContext,
  message: PartyMessage<T, BookingDetails & { side: Side }>,
  sides: readonly Side[] = ["promoter", "artist"],
): Promise<void> {
  const { params } = message;
  for (const side of sides)
    await notifyParty(tx, context, side, {
      ...message,
      params: async () =>
        ({ ...(await (typeof params === "function" ? params(side) : params)), side }) as OwnParams<T, BookingDetails>,
    });
}

async function invitationFor(tx: Tx, { booking, artist, services }: EmailContext, side: Side, to: string) {
  const { fromEmail } = await platformSettings(tx);
  const attendee = { name: side === "artist" ? artist.name : booking.promoter_name, email: to };
  return invitationFile(booking, artist, { side, publicUrl: services.config.publicUrl, fromEmail, attendee });
}

async function promoterRecipients(tx: Tx, { booking }: EmailContext, template: TemplateFor<"promoter">) {
  const userId = booking.promoter_user_id;
  if (!userId) return { email: booking.promoter_email };
  const settings = await promoterSettings(tx, userId);
  return {
    ...(promoterWants(settings, template, "email") ? { email: booking.promoter_email } : {}),
    ...(promoterWants(settings, template, "sms") ? await smsOf(tx, userId) : {}),
  };
}

export async function artistRecipients(
  tx: Tx,
  artist: { id: string; user_id: string | null },
  template: TemplateFor<"artist">,
): Promise<Recipients> {
  const userId = artist.user_id;
  if (userId === null) return {};
  const settings = await artistSettings(tx, artist.id);
  const email = artistWants(settings, template, "email") ? await verifiedMailbox(tx, userId) : null;
  return { ...(email ? { email } : {}), ...(artistWants(settings, template, "sms") ? await smsOf(tx, userId) : {}) };
}

/** Returns the recipient of a signing code: by SMS if chosen and verified, otherwise by email. Undefined for an artist without a verified mailbox. */
export async function codeRecipient(
  tx: Tx,
  { booking, artist }: EmailContext,
  side: Side,
): Promise<{ channel: Channel; to: string } | undefined> {
  const userId = side === "artist" ? artist.user_id : booking.promoter_user_id;
  const bySms =
    userId !== null &&
    (side === "artist"
      ? artistWants(await artistSettings(tx, artist.id), "contract_code", "sms")
      : promoterWants(await promoterSettings(tx, userId), "contract_code", "sms"));
  const { sms } = bySms ? await smsOf(tx, userId) : {};
  if (sms) return { channel: "sms", to: sms };
  const email = side === "promoter" ? booking.promoter_email : userId && (await verifiedMailbox(tx, userId));
  return email ? { channel: "email", to: email } : undefined;
}

export async function smsOf(tx: Tx, userId: string): Promise<Recipients> {
  if ((await platformSettings(tx)).smsProvider === "none") return {};
  const sms = await verifiedPhone(tx, userId);
  return sms ? { sms } : {};
}

export type EmailContext = { booking: Booking; artist: BookedArtist; services: Payments };

export async function emailContextOf(tx: Tx, services: Payments, bookingId: string): Promise<EmailContext> {
  const booking = await findBooking(tx, bookingId);
  if (!booking) throw new Error(`there is no booking ${bookingId} to notify about`);
  return { booking, artist: await artistOfBooking(tx, booking), services };
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

const linksPerHour = 3;

/** Counts a new link by email. Returns false above 3 per hour, without an error, because the response must not reveal whether the booking exists. */
export async function countLinkEmail({ limits }: Payments, key: string): Promise<boolean> {
  if ((await limits.count(key)) >= linksPerHour) return false;
  await limits.hit(key, Number.MAX_SAFE_INTEGER, 3_600);
  return true;
}

/** Sends the booking link only to the address of the request. A booking that does not exist is ignored. */
export async function sendBookingLink(services: Payments, bookingId: string): Promise<void> {
  const booking = await findBooking(services.database.db, bookingId);
  if (!booking || !(await countLinkEmail(services, `booking link of ${booking.id}`))) return;
  await services.database.transaction(async (tx) =>
    enqueueBookingLink(tx, await emailContextOf(tx, services, booking.id)),
  );
  services.wake();
}

/** `corrected`: the address was corrected to this one, so earlier emails went to another mailbox. */
export const enqueueBookingLink = (tx: Tx, context: EmailContext, { corrected = false } = {}) =>
  enqueueMessage(tx, {
    template: "booking_link",
    channel: "email",
    to: context.booking.promoter_email,
    params: {
      ...bookingDetailsFor(context, "promoter"),
      corrected,
      days: context.booking.promoter_user_id === null ? bookingLinkDays : null,
    },
    refId: context.booking.id,
  });
