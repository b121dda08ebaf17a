/**
 * Which columns of this module's tables leave the installation, and what becomes of personal data in them. A review is its author's: whoever is reviewed reads it on the
 * site once it is published, and no export shows it earlier.
 */
import { formerMember } from "./rules.ts";
import { listTable } from "#platform/data-export.ts";

export const reviewsDataLists = [
  listTable("reviews", {
    rows: { userId: ["author_user_id"] },
    personal: {
      reason: "What two parties of a booking say about each other.",
      columns: {
        author_name: formerMember,
        author_user_id: null,
        body: { retained: "published" },
        hidden_reason: { retained: "published" },
      },
      erase: "clear",
    },
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
    personal: {
      reason: "Answers to reviews.",
      columns: { author_user_id: null, body: { retained: "published" } },
      erase: "clear",
    },
    exported: ["review_id", "author_user_id", "body", "created_at"],
    withheld: {},
  }),
  listTable("review_reports", {
    rows: { userId: ["reporter_user_id"] },
    personal: {
      reason: "Why a review was reported.",
      columns: { reporter_user_id: null, reason: "Removed with the account." },
      erase: "clear",
      nightly: [{ action: "clear", days: 365, since: "decided_at" }],
    },
    exported: ["review_id", "reporter_user_id", "reason", "created_at", "decided_at", "decision"],
    withheld: { decided_by: "others" },
  }),
];
