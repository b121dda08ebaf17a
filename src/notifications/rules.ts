import { z } from "zod";
import { mailAddress } from "#delivery/rules.ts";
import { type ContactField, contactFieldMessage, maxContactLengths } from "./contact.rules.ts";

const oneLineText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .refine((text) => !/[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(text), "Enter one line.");

const contactText = (field: ContactField) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const message = contactFieldMessage(field, text);
      if (message) context.addIssue({ code: "custom", message });
    });

export const contactInput = z.strictObject({
  name: contactText("name").pipe(oneLineText(maxContactLengths.name)),
  email: contactText("email").toLowerCase().pipe(mailAddress),
  subject: oneLineText(maxContactLengths.subject).default(""),
  message: contactText("message").max(maxContactLengths.message),
});
export type ContactInput = z.output<typeof contactInput>;
