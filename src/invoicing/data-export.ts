/** Which columns of this module's tables leave the installation, and what becomes of personal data in them: to the artist what they sold and were invoiced while the profile was theirs, to the promoter what they bought. */
import { listTable, unexportedTable } from "#platform/data-export.ts";

export const invoicingDataLists = [
  listTable("documents", {
    rows: { userId: ["artist_owner_id"], email: ["buyer_email"] },
    personal: {
      reason: "Receipts, invoices and statements.",
      columns: { buyer_email: { retained: "accounting" }, details: { retained: "accounting" } },
      erase: "keep",
    },
    exported: [
      "id",
      "number",
      "kind",
      "booking_id",
      "payment_id",
      "corrects_id",
      "seller_artist_id",
      "buyer_artist_id",
      "artist_owner_id",
      "buyer_email",
      "currency",
      "gross",
      "tax",
      "tax_label",
      "tax_bps",
      "details",
      "occurred_at",
      "issued_at",
    ],
    withheld: { seller_id: "internal", sequence_number: "internal", cause_key: "internal" },
  }),
  // The counters of sellers: nothing about a person that the documents do not say.
  unexportedTable("document_sellers"),
  unexportedTable("documents_due"),
  // Drawn from the documents; each can be opened from its page.
  unexportedTable("document_files", {
    reason: "The printed documents.",
    columns: { bytes: { retained: "accounting" } },
    erase: "keep",
  }),
];
