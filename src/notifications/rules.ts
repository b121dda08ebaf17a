import { z } from "zod";
import { mailAddress } from "#delivery/rules.ts";
import { plainProse } from "#platform/security/plain-name.rules.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { type ContactField, contactFieldMessage, maxContactLengths } from "./contact.rules.ts";

const contactText = (field: ContactField) =>
  z
    .string()
    .overwrite(plainProse)
    .trim()
    .superRefine((text, context) => {
      const message = contactFieldMessage(field, text);
      if (message) context.addIssue({ code: "custom", message });
    });

export const contactInput = z.strictObject({
  name: contactText("name").pipe(oneLine(maxContactLengths.name)),
  email: contactText("email").toLowerCase().pipe(mailAddress),
  subject: oneLine(maxContactLengths.subject).default(""),
  message: contactText("message").pipe(prose(maxContactLengths.message)),
});
export type ContactInput = z.output<typeof contactInput>;
