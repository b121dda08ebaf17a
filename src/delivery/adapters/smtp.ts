import { isLoopback } from "#platform/config.ts";
import { errorCode, errorMessage } from "#platform/errors.ts";
import {
  type Attachment,
  type DeliveryAdapter,
  DeliveryRefused,
  type OutgoingMessage,
  Undeliverable,
} from "./adapter.ts";

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const testTimeouts = { connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 4_000 };

/** The longest time of one email, with its wait for a connection. A relay that draws its replies out would otherwise delay all others. */
const sendMs = 60_000;

/** Sends mail through the relay at SMTP_URL (smtp:// with STARTTLS when offered, smtps:// with TLS from the start), each within `limitMs`. */
export function smtpAdapter(url: string, limitMs = sendMs): DeliveryAdapter {
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    name: "smtp",
    send: async (message) => {
      transport ??= openTransport(url);
      try {
        const sent = await (await transport).sendMail({ ...envelope(message), signal: AbortSignal.timeout(limitMs) });
        return sent.messageId;
      } catch (error) {
        if (error instanceof Error && error.name === "AbortError")
          throw new Error(`The relay did not accept the email within ${limitMs / 1000} seconds.`, { cause: error });
        throw isRecipientRefused(error) ? new Undeliverable(errorMessage(error), { cause: error }) : error;
      }
    },
    test: () => signIn(url),
    close: () => void transport?.then((opened) => opened.close()),
  };
}

async function signIn(url: string): Promise<string> {
  const transport = await openTransport(url, testTimeouts);
  try {
    await transport.verify();
  } catch (error) {
    if (errorCode(error) !== "EAUTH") throw error;
    throw new DeliveryRefused("The relay does not accept the name and the password.", errorMessage(error));
  } finally {
    transport.close();
  }
  return new URL(url).username ? "The relay answers and accepts the password." : "The relay answers.";
}

/** The library is loaded here, because an installation without a relay does not need it. A relay on this machine often has a certificate that it made itself. */
async function openTransport(url: string, limits = timeouts) {
  const relay = new URL(url);
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: relay.hostname.replace(/^\[|\]$/g, ""),
    ...(isLoopback(relay.hostname) ? { tls: { rejectUnauthorized: false } } : {}),
    port: Number(relay.port) || (relay.protocol === "smtps:" ? 465 : 587),
    secure: relay.protocol === "smtps:",
    pool: true,
    maxConnections: 2,
    ...(relay.username
      ? { auth: { user: decodeURIComponent(relay.username), pass: decodeURIComponent(relay.password) } }
      : {}),
    ...limits,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const envelope = (message: OutgoingMessage) => ({
  from: { name: "Stagedoor", address: message.from },
  to: { name: "", address: message.to },
  replyTo: { name: "", address: message.replyTo },
  subject: subjectOf(message.subject),
  text: message.text,
  ...(message.html === null ? {} : { html: message.html }),
  ...(message.attachment === null ? {} : attached(message.attachment)),
  messageId: `<${message.id}@${message.from.split("@").at(-1)}>`,
  headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
});

/** The longest text of an encoded word, in bytes: it has at most 75 characters (RFC 2047). */
const wordBytes = 45;

/** The library sends a text of ASCII as it is. One with "=?" is encoded, because mail clients would decode it. */
function subjectOf(subject: string): string {
  if (!subject.includes("=?")) return subject;
  const words = [""];
  for (const character of subject) {
    const longer = `${words.at(-1) ?? ""}${character}`;
    if (Buffer.byteLength(longer) <= wordBytes) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

/** Attaches a file. A calendar file is also an alternative of the text (RFC 6047): mail clients add it to the calendar from there. */
function attached({ name: filename, bytes, contentType }: Attachment) {
  const content = Buffer.from(bytes);
  const method = /^text\/calendar;.*method=(\w+)/.exec(contentType)?.[1];
  return {
    attachments: [{ filename, content, contentType }],
    ...(method ? { alternatives: [{ content, contentType, contentDisposition: "inline" as const }] } : {}),
  };
}

/** A rejection of RCPT that is not about the recipient: by its enhanced code (RFC 3463) about the sender (5.1.7, 5.1.8), the relay or its policy, without such a code by its words. */
const otherReason =
  /^5\d\d[ -](5\.(1\.[78]|[34567]\.\d+)\b|(?!5\.\d).*\b(relay|sender|denied|policy|limit|quota|authentication))/is;

/** Returns true if the relay permanently refuses the recipient. All other rejections are retried, because the relay or the operator can correct them. */
function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error && "command" in error && "response" in error)) return false;
  const response = String(error.response);
  return error.command === "RCPT TO" && response.startsWith("5") && !otherReason.test(response);
}
