import { z } from "zod";
import { mailAddress } from "#delivery/rules.ts";
import { hasControlCharacter } from "#settings/rules.ts";
import { type ContactField, contactFieldMessage, maxContactLengths } from "./contact.rules.ts";

const oneLineText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !hasControlCharacter(text), "Enter one line.");

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
