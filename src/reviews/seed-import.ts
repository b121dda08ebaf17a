import type { Insertable } from "kysely";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

export type ReviewHistory = {
  reviews: readonly Insertable<DB["reviews"]>[];
  replies: readonly Insertable<DB["review_replies"]>[];
};

export async function insertSeedReviews(tx: Tx, history: ReviewHistory): Promise<void> {
  for (const rows of chunks(history.reviews)) await tx.insertInto("reviews").values(rows).execute();
  for (const rows of chunks(history.replies)) await tx.insertInto("review_replies").values(rows).execute();
}
