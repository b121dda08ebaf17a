/** Which columns of this module's tables leave the installation. */
import { listTable } from "#platform/data-export.ts";

export const contractsDataLists = [
  listTable("contracts", {
    rows: { through: { booking_id: "bookings" } },
    exported: [
      "id",
      "booking_id",
      "signed_status",
      "provider",
      "terms",
      "terms_hash",
      "document_hash",
      "sent_at",
      "signed_at",
      "created_at",
      "template",
      "expires_at",
      "declined_at",
      "declined_by",
      "decline_reason",
    ],
    withheld: {
      doc_url: "secret",
      send_from: "internal",
      attempts: "internal",
      next_try_at: "internal",
      last_error: "internal",
      extended_at: "internal",
      reminders: "internal",
      provider_asked_at: "internal",
      provider_ref: "internal",
      provider_looked_at: "internal",
      provider_cancel_from: "internal",
      provider_canceled_at: "internal",
      provider_alarm: "internal",
    },
  }),
  listTable("contract_documents", {
    rows: { through: { contract_id: "contracts" } },
    exported: ["id", "contract_id", "kind", "pages", "created_at"],
    withheld: { sha256: "internal", bytes: "internal", media_type: "internal" },
  }),
  listTable("contract_signers", {
    rows: { through: { contract_id: "contracts" } },
    exported: ["contract_id", "side", "name", "signed_name", "method", "signed_at"],
    withheld: { drawing: "others", document_sha256: "internal" },
  }),
  listTable("contract_objections", {
    rows: { through: { contract_id: "contracts" } },
    exported: ["contract_id", "side", "reason", "made_at"],
    withheld: {},
  }),
  listTable("contract_templates", {
    rows: "nobody",
    exported: ["id", "version", "title", "sections", "saved_at"],
    withheld: { saved_by: "others" },
  }),
  listTable("contract_links", {
    rows: "nobody",
    exported: [],
    withheld: {
      hash: "secret",
      contract_id: "secret",
      side: "secret",
      created_at: "secret",
      expires_at: "secret",
      used_at: "secret",
    },
  }),
  listTable("esign_events", {
    rows: "nobody",
    exported: ["id", "provider", "type", "received_at", "processed_at"],
    withheld: {
      ref: "internal",
      external_id: "internal",
      attempts: "internal",
      next_try_at: "internal",
      dead_at: "internal",
      last_error: "internal",
    },
  }),
  listTable("contract_seals", {
    rows: "nobody",
    exported: ["id", "created_at", "retired_at"],
    withheld: { certificate: "internal", private_key: "secret" },
  }),
  listTable("contract_events", {
    rows: "nobody",
    exported: ["contract_id", "number", "entry"],
    withheld: { hash: "secret" },
  }),
];
