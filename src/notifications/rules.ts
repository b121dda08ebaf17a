/** Where a message may go, and what a contact message may be. */
import { z } from "zod";
import { emailPattern, longestEmail } from "#platform/email-address.rules.ts";
import { type ContactField, contactFieldMessage, longestContact } from "./contact.rules.ts";

export const channels = ["email", "sms"] as const;
export type Channel = (typeof channels)[number];

/** An address that can be mailed: one mailbox, no display name, no control characters. */
export const mailAddress = z
  .email({ pattern: emailPattern, error: "must be an e-mail address, like name@example.org" })
  .max(longestEmail);
/** A number that can receive an SMS: + and 7 to 15 digits (E.164). */
export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be a number with its country code, like +15125550199");

/** The number as SMS services want it, or undefined when the country is not said. Spaces, dots, hyphens and brackets are dropped. */
export function smsNumber(text: string | null | undefined): string | undefined {
  const digits = (text ?? "").replaceAll(/[\s().-]/g, "").replace(/^00/, "+");
  return phoneNumber.safeParse(digits).data;
}

export const maxTries = 8;
const waits = [15, 60, 300, 900, 3600, 14_400, 43_200] as const;

/** Seconds until the next try after so many failed ones: 15 s at first, 12 h at last. */
export const waitAfter = (tries: number): number => waits[Math.min(Math.max(tries, 1), waits.length) - 1] ?? 43_200;

const oneLineText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .refine((text) => !/[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(text), "must be one line");

/** A field with the messages that the form shows as well. */
const contactText = (field: ContactField) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const message = contactFieldMessage(field, text);
      if (message) context.addIssue({ code: "custom", message });
    });

export const contactInput = z.strictObject({
  name: contactText("name").pipe(oneLineText(longestContact.name)),
  email: contactText("email").toLowerCase().pipe(mailAddress),
  subject: oneLineText(longestContact.subject).default(""),
  message: contactText("message").max(longestContact.message),
});
export type ContactInput = z.output<typeof contactInput>;
