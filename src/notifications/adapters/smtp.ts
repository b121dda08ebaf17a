import nodemailer from "nodemailer";
import { type Adapter, type Parcel, Undeliverable } from "./adapter.ts";

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends mail through the relay at SMTP_URL (smtp:// with STARTTLS when offered, smtps:// with TLS from the start). */
export function smtpAdapter(url: string): Adapter {
  const relay = new URL(url);
  const transport = nodemailer.createTransport({
    host: relay.hostname.replace(/^\[|\]$/g, ""),
    port: Number(relay.port) || (relay.protocol === "smtps:" ? 465 : 587),
    secure: relay.protocol === "smtps:",
    pool: true,
    maxConnections: 2,
    ...(relay.username
      ? { auth: { user: decodeURIComponent(relay.username), pass: decodeURIComponent(relay.password) } }
      : {}),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: "smtp",
    send: async (parcel) => {
      try {
        const sent = await transport.sendMail(envelope(parcel));
        return sent.messageId;
      } catch (error) {
        throw refusedForGood(error) ? new Undeliverable(sentence(error), { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

const envelope = (parcel: Parcel) => ({
  from: { name: "Stagedoor", address: parcel.from },
  to: { name: "", address: parcel.to },
  replyTo: { name: "", address: parcel.replyTo },
  subject: parcel.subject,
  text: parcel.text,
  ...(parcel.html === null ? {} : { html: parcel.html }),
  messageId: `<${parcel.id}@${parcel.from.split("@").at(-1)}>`,
  headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
});

/** A 5xx about the recipient or the message will not change; one about signing in to the relay will, once it is set right. */
function refusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = "responseCode" in error ? Number(error.responseCode) : 0;
  const step = "code" in error ? String(error.code) : "";
  return status >= 500 && status < 600 && (step === "EENVELOPE" || step === "EMESSAGE");
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
