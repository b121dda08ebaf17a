import { listTable, unexportedTable } from "#platform/data-export.ts";

export const notificationsDataLists = [
  listTable("messages", {
    rows: { email: ["recipient"] },
    personal: {
      reason: "Delivering an email or SMS once, and showing that it was sent.",
      columns: { recipient: "", subject: "", text: "", html: null, reply_to: null, last_error: null, dedupe_key: null },
      erase: "delete",
      found: {
        userId: ["ref_id"],
        email: ["recipient", "reply_to"],
        phone: ["recipient"],
        through: { ref_id: "bookings" },
        throughWhere: "status <> 'waiting'",
      },
      nightly: [{ action: "delete", days: 400, since: "created_at", where: `status <> 'waiting'` }],
    },
    exported: [
      "id",
      "channel",
      "recipient",
      "template",
      "subject",
      "attachment_name",
      "ref_id",
      "status",
      "sent_at",
      "created_at",
    ],
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
      attachment_kind: "internal",
      attachment_id: "internal",
    },
  }),
  listTable("contact_messages", {
    rows: { email: ["email"] },
    personal: {
      reason: "Answering what somebody wrote through the contact form.",
      columns: { name: "", email: "", subject: "", message: "" },
      erase: "delete",
      nightly: [{ action: "delete", days: 365, since: "created_at" }],
    },
    exported: ["id", "name", "email", "subject", "message", "created_at"],
    withheld: {},
  }),
  // Texts of the platform; who saved last is an administrator's act, which the log holds.
  unexportedTable("email_templates"),
];
