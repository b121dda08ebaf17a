/** Which columns of this module's tables leave the installation. */
import { listTable, unexportedTable } from "#platform/data-export.ts";

export const notificationsDataLists = [
  listTable("messages", {
    rows: { email: ["recipient"] },
    exported: ["id", "channel", "recipient", "template", "subject", "ref_id", "status", "sent_at", "created_at"],
    // The text carries links and codes that open accounts and payments: a person with a session but without the mailbox must not read them here.
    withheld: {
      text: "secret",
      html: "secret",
      dedupe_key: "internal",
      attempts: "internal",
      last_error: "internal",
      next_try_at: "internal",
      reply_to: "others",
      adapter: "internal",
      provider_ref: "internal",
    },
  }),
  listTable("contact_messages", {
    rows: { email: ["email"] },
    exported: ["id", "name", "email", "subject", "message", "created_at"],
    withheld: {},
  }),
  // Texts of the platform; who saved last is an administrator's act, which the log holds.
  unexportedTable("email_templates"),
];
