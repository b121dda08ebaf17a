import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { hasRow, updateById, type DB, type Tx } from "#platform/db/index.ts";

export type Review = Selectable<DB["reviews"]>;

export const insertReview = (tx: Tx, row: Insertable<DB["reviews"]>) =>
  tx
    .insertInto("reviews")
    .values(row)
    .onConflict((on) => on.columns(["booking_id", "written_by"]).doNothing())
    .returning("id")
    .executeTakeFirst();

/** Locks the review after its artist, in the order of a deletion of the artist's account. */
export async function lockReview(tx: Tx, id: string): Promise<Review | undefined> {
  await lockArtist(tx, sql`(select artist_id from reviews where id = ${id})`);
  return tx.selectFrom("reviews").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

const lockArtist = (tx: Tx, id: RawBuilder<unknown>) =>
  sql`select 1 from artists where id = ${id} for no key update`.execute(tx);

type Reviewed = { id: string; artist_id: string };

export async function publishReviewsOf(tx: Tx, { id: bookingId, artist_id }: Reviewed, now: Date): Promise<number> {
  await lockArtist(tx, sql`${artist_id}`);
  const { numUpdatedRows } = await tx
    .updateTable("reviews")
    .set({ published_at: now })
    .where("booking_id", "=", bookingId)
    .where("published_at", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const insertReply = (tx: Tx, reply: { reviewId: string; authorUserId: string; body: string; now: Date }) =>
  hasRow(tx)`
    insert into review_replies (review_id, author_user_id, body, created_at)
    values (${reply.reviewId}, ${reply.authorUserId}, ${reply.body}, ${reply.now})
    on conflict (review_id) do nothing returning 1`;

export const insertReport = (tx: Tx, report: { reviewId: string; reporterUserId: string; reason: string; now: Date }) =>
  hasRow(tx)`
    insert into review_reports (review_id, reporter_user_id, reason, created_at)
    values (${report.reviewId}, ${report.reporterUserId}, ${report.reason}, ${report.now})
    on conflict (review_id) do nothing returning 1`;

/** Returns false if the review has no report, or its report was decided so before. */
export async function decideReport(
  tx: Tx,
  decision: { reviewId: string; decision: "hidden" | "kept"; adminId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("review_reports")
    .set({ decided_at: decision.now, decided_by: decision.adminId, decision: decision.decision })
    .where("review_id", "=", decision.reviewId)
    .where("decision", "is distinct from", decision.decision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const setHidden = (tx: Tx, id: string, hidden: { at: Date; by: string; reason: string } | null) =>
  updateById(tx, "reviews", id, {
    hidden_at: hidden?.at ?? null,
    hidden_by: hidden?.by ?? null,
    hidden_reason: hidden?.reason ?? null,
  });

export async function attachReviews(tx: Tx, userId: string): Promise<void> {
  await sql`
    update reviews set author_user_id = ${userId} from bookings b
    where b.id = reviews.booking_id and b.promoter_user_id = ${userId}
      and reviews.written_by = 'promoter' and reviews.author_user_id is null`.execute(tx);
}
