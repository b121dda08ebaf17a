import { z } from "zod";
import { mailAddress } from "#delivery/rules.ts";
import { isPlainLine, visibleText } from "#platform/security/plain-name.rules.ts";
import { type ContactField, contactFieldMessage, maxContactLengths } from "./contact.rules.ts";

const oneLineText = (max: number) =>
  z.string().overwrite(visibleText).trim().max(max).refine(isPlainLine, "Enter one line.");

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
