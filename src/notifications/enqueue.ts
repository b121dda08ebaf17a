/** Telling somebody something: the message is written with its cause and leaves afterwards. */
import type { Tx } from "#platform/db/index.ts";
import { platformSettings } from "#settings/index.ts";
import { letterHtml } from "./templates/layout.ts";
import { plainText } from "./email.ts";
import { type Channel, mailAddress, phoneNumber } from "./rules.ts";
import { insertMessage } from "./store.ts";
import { type TemplateName, type TemplateParams, write } from "./templates/index.ts";
import { oneLine } from "./format.ts";

export type Told<T extends TemplateName> = {
  template: T;
  channel: Channel;
  /** A mail address, or for SMS a number in E.164. Anything else, line breaks included, is refused with an error. */
  to: string;
  params: TemplateParams<T>;
  /** The booking, contract, payment … it is about. */
  refId?: string | null;
  /** The same template is told to the same person once per key; leave it out only where repeating is meant. */
  dedupeKey?: string;
  /** Where an answer goes, instead of the platform's reply-to address. */
  replyTo?: string;
};

/**
 * Writes one message, rendered at once (about 2 ms, no other table handle is touched). Returns its id, or undefined when this
 * person was told before under the same key.
 */
export async function tell<T extends TemplateName>(tx: Tx, told: Told<T>): Promise<string | undefined> {
  const recipient = told.channel === "sms" ? phoneNumber.parse(told.to) : mailAddress.parse(told.to);
  const replyTo = told.replyTo === undefined ? null : mailAddress.parse(told.replyTo);
  const letter = write(told.template, told.params);
  const written =
    told.channel === "sms" ? { text: smsText(told.template, letter.sms), html: null } : await mailParts(tx, letter);
  return insertMessage(tx, {
    ...written,
    channel: told.channel,
    recipient,
    template: told.template,
    subject: told.channel === "sms" ? "" : oneLine(letter.subject),
    ref_id: told.refId ?? null,
    dedupe_key:
      told.dedupeKey === undefined
        ? null
        : [told.template, told.channel, recipient.toLowerCase(), told.dedupeKey].join(" "),
    reply_to: replyTo,
  });
}

async function mailParts(tx: Tx, letter: ReturnType<typeof write>) {
  const brand = await platformSettings(tx);
  return { text: plainText(letter, [brand.emailFooter, brand.supportEmail]), html: await letterHtml(letter, brand) };
}

function smsText(template: string, text: string | undefined): string {
  if (text) return oneLine(text, 480);
  throw new TypeError(`the template "${template}" has no SMS wording`);
}
