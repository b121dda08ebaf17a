import { recordActivity, textWithoutSecrets } from "#activity/index.ts";
import type { Config } from "#platform/config.ts";
import type { Tx } from "#platform/db/index.ts";
import { withoutAddresses } from "#platform/email-address.rules.ts";
import { errorMessage, Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { platformSettings } from "#settings/index.ts";
import { type DeliveryAdapter, Undeliverable } from "./adapters/adapter.ts";
import { devMailboxAdapter } from "./adapters/dev-mailbox.ts";
import { smtpAdapter } from "./adapters/smtp.ts";
import { twilioAdapter } from "./adapters/twilio.ts";
import { attachmentOf, type ReadAttachment } from "./attachments.ts";
import { deliveryText, retryDelaySeconds } from "./rules.ts";
import { type Due, type StoredText, deleteMessage, markFailed, markSent, markTried, claimDue } from "./store.ts";

const roundSize = 20;

const removedText = "The text of this message was deleted because it gave access to an account.";

/** What delivery needs of higher modules. Once the message is sent, a secret template's text is deleted, and an erased template's message. */
export type DeliveryOptions = Readonly<{
  readAttachment: ReadAttachment;
  isSecret: (template: string) => boolean;
  isErased: (template: string) => boolean;
  isAccountNotice: (template: string) => boolean;
  templateTitle: (template: string) => string;
}>;

type Adapters = { email: DeliveryAdapter | undefined; sms: DeliveryAdapter | undefined };
const opened = new WeakMap<Config, Adapters>();

/** Returns the adapters of a configuration: the relay or Twilio if set up, else the outbox in demo mode, else none. */
function adaptersOf(config: Config): Adapters {
  const known = opened.get(config);
  if (known) return known;
  const otherwise = config.demo ? devMailboxAdapter() : undefined;
  const fresh = {
    email: config.smtpUrl ? smtpAdapter(config.smtpUrl) : otherwise,
    sms: config.twilio ? twilioAdapter(config.twilio) : otherwise,
  };
  opened.set(config, fresh);
  return fresh;
}

/** Closes open connections to the relay. The next delivery opens them again. */
export function closeDelivery(config: Config): void {
  const known = opened.get(config);
  known?.email?.close();
  known?.sms?.close();
  opened.delete(config);
}

/** Sends all due messages, and stops after a round without success, because each message to an absent server waits for its own timeout. Several processes may call it at the same time: each message is claimed by one of them. */
export async function deliverMessages(services: PlatformServices, options: DeliveryOptions) {
  const count = { sent: 0, failed: 0 };
  for (;;) {
    const due = await services.database.transaction((tx) => claimDue(tx, roundSize));
    if (due.length === 0) return count;
    const outcomes = await Promise.all(due.map((message) => deliver(services, message, options)));
    for (const sent of outcomes) count[sent ? "sent" : "failed"]++;
    if (!outcomes.includes(true)) return count;
  }
}

async function deliver(services: PlatformServices, message: Due, options: DeliveryOptions): Promise<boolean> {
  const { database, config } = services;
  const stored = storedTextOf(message, config, options);
  let left: { adapter: string; ref: string | null };
  try {
    if (message.is_expired) throw new Undeliverable("Its link or code expired before it could be sent.");
    const adapter = adapterFor(config, message.channel);
    if (message.channel === "sms" && message.attempts === 1 && options.isAccountNotice(message.template))
      await countNotice(services, message.recipient);
    const { fromEmail, replyToEmail } = await platformSettings(database.db);
    const ref = await adapter.send({
      ...message,
      to: message.recipient,
      from: fromEmail,
      replyTo: message.reply_to ?? replyToEmail,
      attachment: await requireAttachment(services, message, options.readAttachment),
    });
    left = { adapter: adapter.name, ref };
  } catch (error) {
    await recordFailure(services, message, { stored, options, error });
    return false;
  }
  await recordSent(services, message, { ...left, stored }, options);
  return true;
}

/** A user can cause an SMS with each change of the account: 10 a day to a number. Others cannot use up its first 3, because its owner may have no other address. */
async function countNotice({ limits, config }: PlatformServices, recipient: string): Promise<void> {
  try {
    const own = await limits.hit(`sms notice ${recipient}`, 10, 86_400);
    if (own > 3) await limits.hit("sms notices", config.smsCodesPerDay, 86_400);
  } catch (error) {
    throw error instanceof Problem ? new Undeliverable("The daily limit of SMS notices is reached.") : error;
  }
}

/** Marks a message as sent. Retries a failed write, because the message would otherwise be sent a second time. */
async function recordSent(
  { database, log, config }: PlatformServices,
  message: Due,
  left: { adapter: string; ref: string | null; stored: StoredText },
  options: DeliveryOptions,
): Promise<void> {
  const recordDelivery = () =>
    database.transaction(async (tx) => {
      await (isErasedOutsideDemo(message, config, options)
        ? deleteMessage(tx, message.id)
        : markSent(tx, message.id, left));
      await logOutcome(tx, message, options, true);
    });
  await recordDelivery().catch((error: unknown) => {
    log.warn({ err: error, message: message.id }, "a message that was sent could not be marked; it is tried again");
    return recordDelivery();
  });
}

async function requireAttachment(services: PlatformServices, message: Due, readAttachment: ReadAttachment) {
  const attachment = await attachmentOf(services, message, readAttachment);
  if (attachment === undefined) throw new Error(`the attachment ${message.attachment_name} is not there`);
  return attachment;
}

/** Returns the text to store after sending: all of it in demo mode, else without the links and codes that open an account or a payment. */
function storedTextOf(message: Due, config: Config, { isSecret }: DeliveryOptions): StoredText {
  if (config.demo) return { text: message.text, html: message.html };
  if (isSecret(message.template)) return { text: removedText, html: null };
  return {
    text: textWithoutSecrets(message.text),
    html: message.html === null ? null : textWithoutSecrets(message.html),
  };
}

/** The outbox of demo mode shows the message until the nightly job deletes it. */
const isErasedOutsideDemo = (message: Due, config: Config, { isErased }: DeliveryOptions): boolean =>
  !config.demo && isErased(message.template);

async function recordFailure(
  { database, log, config }: PlatformServices,
  message: Due,
  { stored, options, error }: { stored: StoredText; options: DeliveryOptions; error: unknown },
): Promise<void> {
  const reason = errorMessage(error);
  const last = error instanceof Undeliverable || message.is_last_attempt;
  log.warn(
    {
      message: message.id,
      template: message.template,
      attempts: message.attempts,
      last,
      reason: withoutAddresses(reason),
    },
    "a message could not be sent",
  );
  await database.transaction(async (tx) => {
    if (!last) return markTried(tx, message.id, reason, retryDelaySeconds(message.attempts));
    await (isErasedOutsideDemo(message, config, options)
      ? deleteMessage(tx, message.id)
      : markFailed(tx, message.id, reason, stored));
    return logOutcome(tx, message, options, false);
  });
}

/** Records the outcome in the activity log, once. The entry outlives the message, so it has no address. */
const logOutcome = (tx: Tx, message: Due, { templateTitle }: DeliveryOptions, isSent: boolean): Promise<void> =>
  recordActivity(tx, {
    id: message.id,
    type: "notification",
    refId: message.ref_id,
    message: deliveryText(message.channel, templateTitle(message.template), isSent),
    meta: { template: message.template, channel: message.channel },
  });

export function adapterFor(config: Config, channel: string): DeliveryAdapter {
  const adapter = channel === "sms" ? adaptersOf(config).sms : adaptersOf(config).email;
  if (adapter) return adapter;
  throw new Error(
    channel === "sms"
      ? "SMS is not set up: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are missing."
      : "Mail is not set up: SMTP_URL is missing.",
  );
}
