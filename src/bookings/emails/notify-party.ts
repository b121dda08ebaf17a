import type { Channel } from "#delivery/rules.ts";
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
import type { Tx } from "#platform/db/index.ts";
import { artistSettings, platformSettings, promoterSettings } from "#settings/index.ts";
import { verifiedMailbox, verifiedPhone } from "#users/index.ts";
import { invitationFile } from "../page/calendar-files.ts";
import { calendarOrganizer } from "../store.ts";
import { bookingDetailsFor, dedupeFields, type EmailContext } from "./email-context.ts";

type Side = "promoter" | "artist";
export type Recipients = Partial<Record<Channel, string>>;
/** The parameters of a template without those `Given`. One of these may be replaced. */
type OwnParams<T extends TemplateName, Given> =
  TemplateParams<T> extends infer All ? (All extends unknown ? Omit<All, keyof Given> & Partial<Given> : never) : never;
type PartyMessage<T extends TemplateName, Given = BookingDetails> = Readonly<{
  template: T;
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
  const organizer = await calendarOrganizer(tx, booking.id, fromEmail);
  return invitationFile(booking, artist, { side, publicUrl: services.config.publicUrl, organizer, attendee });
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
