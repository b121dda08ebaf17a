/**
 * Which columns of this module's tables leave the installation. A review is its author's: whoever is reviewed reads it on the
 * site once it is published, and no export shows it earlier.
 */
import { listTable } from "#platform/data-export.ts";

export const reviewsDataLists = [
  listTable("reviews", {
    rows: { userId: ["author_user_id"] },
    exported: [
      "id",
      "booking_id",
      "artist_id",
      "written_by",
      "author_user_id",
      "author_name",
      "rating",
      "body",
      "created_at",
      "published_at",
      "hidden_at",
      "hidden_reason",
    ],
    withheld: { hidden_by: "others" },
  }),
  listTable("review_replies", {
    rows: { userId: ["author_user_id"] },
    exported: ["review_id", "author_user_id", "body", "created_at"],
    withheld: {},
  }),
  listTable("review_reports", {
    rows: { userId: ["reporter_user_id"] },
    exported: ["review_id", "reporter_user_id", "reason", "created_at", "decided_at", "decision"],
    withheld: { decided_by: "others" },
  }),
];
