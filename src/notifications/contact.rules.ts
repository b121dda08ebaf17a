import { emailMessage } from "#platform/email-address.rules.ts";

export const contactFields = ["name", "email", "message"] as const;
export type ContactField = (typeof contactFields)[number];

export const maxContactLengths = { name: 120, subject: 200, message: 5_000 } as const;

/** Returns undefined if the text is valid. It must be trimmed. */
export function contactFieldMessage(field: ContactField, text: string): string | undefined {
  if (field === "email") return emailMessage(text, "we can answer");
  if (!text) return field === "name" ? "Enter your name." : "Enter a message.";
  return text.length > maxContactLengths[field] ? `At most ${maxContactLengths[field]} characters.` : undefined;
}
