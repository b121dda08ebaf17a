import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { editableEmails, emailReaders, longestEmailText } from "./rules.ts";

const endpoint = endpointsOf("settings");

const text = z.object({ subject: z.string(), text: z.string() });
const givenText = {
  subject: z.string().trim().max(longestEmailText.subject),
  text: z.string().trim().max(longestEmailText.text),
};
const template = z.enum(editableEmails);
const reader = z.enum(emailReaders);

const emailTemplate = z.object({
  template,
  active: z.boolean(),
  version: z.int(),
  texts: z.array(text.extend({ reader, changed: z.boolean() })).describe("What is sent, for each reader"),
});
const list = z.object({ items: z.array(emailTemplate) });

const draft = z.strictObject({ template, reader, ...givenText });

export const emailTemplatesApi = {
  list: endpoint("admin", "GET /admin/email-templates", "listEmailTemplates")
    .route({ summary: "The five emails that can be reworded, as they are sent now" })
    .output(list),
  save: endpoint("admin", "PUT /admin/email-templates/{template}/text", "saveEmailText")
    .route({ summary: "Reword an email for one reader; the log says who did" })
    .input(draft.extend({ version: z.int().min(0) }))
    .output(emailTemplate),
  restore: endpoint("admin", "POST /admin/email-templates/{template}/restore", "restoreEmailText")
    .route({ summary: "Give an email its default text for one reader again" })
    .input(z.strictObject({ template, reader, version: z.int().min(0) }))
    .output(emailTemplate),
  setActive: endpoint("admin", "PUT /admin/email-templates/{template}/active", "switchEmail")
    .route({ summary: "Send an email or not; one that carries the only link cannot be switched off" })
    .input(z.strictObject({ template, active: z.boolean(), version: z.int().min(0) }))
    .output(emailTemplate),
  preview: endpoint("admin", "POST /admin/email-templates/preview", "previewEmail")
    .route({ summary: "The email with an invented booking; nothing is stored" })
    .input(draft)
    .output(z.object({ from: z.string(), subject: z.string(), html: z.string() })),
  test: endpoint("admin", "POST /admin/email-templates/test", "sendTestEmail")
    .route({ summary: "Send the email with an invented booking to the admin's own address" })
    .input(draft)
    .output(z.object({ to: z.string() })),
};
