import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { editableEmails, emailRecipients, maxEmailTextLengths } from "./rules.ts";

const endpoint = endpointsOf("settings");

const text = z.object({ subject: z.string(), text: z.string() });
const givenText = {
  subject: oneLine(maxEmailTextLengths.subject),
  text: prose(maxEmailTextLengths.text),
};
const template = z.enum(editableEmails);
const reader = z.enum(emailRecipients);

const emailTemplate = z.object({
  template,
  active: z.boolean(),
  version: z.int(),
  texts: z.array(text.extend({ reader, changed: z.boolean() })).describe("The text for each recipient"),
});
const list = z.object({ items: z.array(emailTemplate) });

const draft = z.strictObject({ template, reader, ...givenText });

export const emailTemplatesApi = {
  list: endpoint("admin", "GET /admin/email-templates", "listEmailTemplates")
    .route({ summary: "The five editable emails with their current texts" })
    .output(list),
  save: endpoint("admin", "PUT /admin/email-templates/{template}/text", "saveEmailText")
    .route({ summary: "Change the text of an email for one recipient; the log records the admin" })
    .input(draft.extend({ version: z.int().min(0) }))
    .output(emailTemplate),
  restore: endpoint("admin", "POST /admin/email-templates/{template}/restore", "restoreEmailText")
    .route({ summary: "Restore the default text of an email for one recipient" })
    .input(z.strictObject({ template, reader, version: z.int().min(0) }))
    .output(emailTemplate),
  setActive: endpoint("admin", "PUT /admin/email-templates/{template}/active", "switchEmail")
    .route({ summary: "Switch an email on or off; an email with the only link cannot be switched off" })
    .input(z.strictObject({ template, active: z.boolean(), version: z.int().min(0) }))
    .output(emailTemplate),
  preview: endpoint("admin", "POST /admin/email-templates/preview", "previewEmail")
    .route({ summary: "Preview an email with a sample booking; nothing is stored" })
    .input(draft)
    .output(z.object({ from: z.string(), subject: z.string(), html: z.string() })),
  test: endpoint("admin", "POST /admin/email-templates/test", "sendTestEmail")
    .route({ summary: "Send an email with a sample booking to the admin's own address" })
    .input(draft)
    .output(z.object({ to: z.string() })),
};
