import { oneLine } from "#delivery/rules.ts";
import type { EmailContent } from "./email.ts";

/** To the support address. A reply goes to the visitor. */
export const contactMessage = (from: {
  name: string;
  email: string;
  subject: string;
  message: string;
}): EmailContent => ({
  subject: `Contact: ${oneLine(from.subject || from.name, 100)}`,
  title: "A message from the contact page",
  paragraphs: ["Your reply goes to the sender."],
  quote: from.message,
  details: [["Name", from.name], ["Email", from.email], ...(from.subject ? [["Subject", from.subject] as const] : [])],
});

/** To the visitor. It does not repeat the message, because the address may be another user's. */
export const contactAcknowledgement = ({ supportEmail }: { supportEmail: string }): EmailContent => ({
  subject: "We received your message",
  paragraphs: [
    "Thank you for writing. We read every message and reply to this address, usually within one working day.",
  ],
  after: [
    `If you did not write to us, someone mistyped their address, and you can ignore this email. Our address is ${supportEmail}.`,
  ],
});
