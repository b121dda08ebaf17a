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
    ],
    withheld: { doc_url: "secret" },
  }),
];
