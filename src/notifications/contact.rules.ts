/** What is wrong with a contact message, with the same messages on server and browser. */
import { emailMessage } from "#platform/email-address.rules.ts";

export const contactFields = ["name", "email", "message"] as const;
export type ContactField = (typeof contactFields)[number];

export const longestContact = { name: 120, subject: 200, message: 5_000 } as const;

/** Says what is wrong with one field, or undefined; spaces around the text do not count. */
export function contactFieldMessage(field: ContactField, text: string): string | undefined {
  if (field === "email") return emailMessage(text, "we can answer");
  if (!text) return field === "name" ? "Enter your name." : "Enter a message.";
  return text.length > longestContact[field] ? `At most ${longestContact[field]} characters.` : undefined;
}
