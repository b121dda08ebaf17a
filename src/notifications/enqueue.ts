import { sql } from "kysely";
import { type AttachmentRef, type CalendarAttachment, insertMessage } from "#delivery/index.ts";
import { type Channel, mailAddress, phoneNumber, oneLine } from "#delivery/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { isErasedEmail } from "#platform/email-address.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { legalLinks } from "#settings/legal-pages.rules.ts";
import { type TemplateName, type TemplateParams, renderEmail } from "./catalog/render-email.ts";
import type { EmailText } from "./custom/rules.ts";
import { readOverride } from "./custom/store.ts";
import { editableOf, recipientOf, withText } from "./custom/values.ts";
import { plainText, type EmailContent } from "./templates/email.ts";
import { emailHtml } from "./templates/layout.ts";

export type NewMessage<T extends TemplateName> = {
  template: T;
  channel: Channel;
  to: string;
  params: TemplateParams<T>;
  refId?: string | null;
  /** A template is sent to one recipient once per key. Leave it out only if repetition is intended. */
  dedupeKey?: string;
  /** A PDF that is read when the email is sent, or a calendar file. SMS have no attachment. */
  attachment?: (AttachmentRef | CalendarAttachment) & Readonly<{ name: string }>;
  replyTo?: string;
  /** A draft that an admin tests. It replaces the stored text, and is sent even if the email is disabled. */
  testText?: EmailText;
};

/** Returns the message's id. Undefined if the recipient already has one with this key, the email is disabled, or the address was erased. */
export async function enqueueMessage<T extends TemplateName>(tx: Tx, message: NewMessage<T>) {
  if (isErasedEmail(message.to)) return undefined;
  const recipient = message.channel === "sms" ? phoneNumber.parse(message.to) : mailAddress.parse(message.to);
  const replyTo = message.replyTo === undefined ? null : mailAddress.parse(message.replyTo);
  const email = await contentOf(tx, message);
  if (!email) return undefined;
  const written =
    message.channel === "sms" ? { text: smsText(message.template, email.sms), html: null } : await mailParts(tx, email);
  return insertMessage(tx, {
    ...written,
    channel: message.channel,
    recipient,
    template: message.template,
    subject: message.channel === "sms" ? "" : oneLine(email.subject),
    ref_id: message.refId ?? null,
    ...(message.attachment && message.channel === "email"
      ? {
          attachment_name: message.attachment.name,
          attachment_kind: message.attachment.kind,
          attachment_id: message.attachment.id,
          attachment_text: message.attachment.kind === "calendar" ? message.attachment.text : null,
        }
      : {}),
    dedupe_key:
      message.dedupeKey === undefined
        ? null
        : [message.template, message.channel, recipient.toLowerCase(), message.dedupeKey].join(" "),
    reply_to: replyTo,
    expires_at: expiryOf(message.params),
  });
}

/** Returns the email with the admin's text, if there is one. Undefined if it is disabled. SMS always have the product's text. */
async function contentOf<T extends TemplateName>(tx: Tx, message: NewMessage<T>): Promise<EmailContent | undefined> {
  const { template, params, testText } = message;
  const email = renderEmail(template, params);
  const editable = editableOf(template);
  if (!editable || message.channel === "sms") return email;
  if (testText) {
    const tried = withText(email, params, testText);
    return { ...tried, subject: `Test: ${tried.subject}`, title: tried.subject };
  }
  const { active, texts } = await readOverride(tx, editable);
  if (!active) return undefined;
  const custom = texts[recipientOf(params)];
  return custom ? withText(email, params, custom) : email;
}

/** Returns the end of a one-time link or code, in real time like all deliveries. Null if the message has none. */
const expiryOf = (params: object) =>
  "minutes" in params ? sql<Date>`now() + make_interval(mins => ${Number(params.minutes)})` : null;

async function mailParts(tx: Tx, email: EmailContent) {
  const brand = await platformSettings(tx);
  const legal = legalLinks(brand).map(({ label, href }) => `${label}: ${href}`);
  return {
    text: plainText(email, [brand.emailFooter, brand.supportEmail, ...legal]),
    html: emailHtml(email, brand),
  };
}

/** Longer texts are cut with "…": three parts of an SMS. */
const maxSmsLength = 480;

function smsText(template: string, text: string | undefined): string {
  if (text) return oneLine(text, maxSmsLength);
  throw new TypeError(`the template "${template}" has no SMS wording`);
}
