import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import type { ReviewHistory } from "#reviews/index.ts";
import { reviewWindowEnd } from "#reviews/rules.ts";
import { earlier, later, type Show } from "./market.ts";
import { type Random, seededRandom } from "./random.ts";
import { promoterReviewTexts, replyTexts, reviewTexts } from "./review-texts.ts";

const starReviews = 47;

type PlannedReview = {
  show: Show;
  id: string;
  written_by: "promoter" | "artist";
  author_name: string;
  rating: number;
  body: string;
  created_at: Date;
  published_at: Date | null;
  reply: { body: string; created_at: Date } | null;
};

/**
 * Plans at most one review by the promoter of each completed show. *Electric Dreams* has 47, replies to some and writes some. A review is
 * published once both are submitted or the review period ends. One show of the demo promoter waits for theirs.
 */
export function planReviews(
  shows: readonly Show[],
  { now, demoEmail }: { now: Date; demoEmail: string },
  random: Random,
): PlannedReview[] {
  const planned: PlannedReview[] = [];
  const unread = new Map([3, 4, 5].map((rating) => [rating, [] as string[]]));
  // A separate generator for the artist's part: the rest of the market does not change.
  const drawn = seededRandom(20_261_122);
  let byStar = 0;
  for (const show of shows) {
    const { row } = show.artist;
    if (show.depositAt && !show.canceled) row.booked_count++;
    const { completedAt } = show;
    if (!completedAt) continue;
    const star = row.slug === "electric-dreams";
    const isOpen = reviewWindowEnd(completedAt) > now;
    if (star && (isOpen || drawn.boolean(0.4))) planned.push(artistsReview(show, completedAt, now, drawn));
    if (star && isOpen && show.promoter.email === demoEmail) continue;
    if (star ? byStar >= starReviews : !random.boolean(0.7)) continue;
    const rating = star ? (byStar++ % 9 === 4 ? 4 : 5) : starsBy(random.next());
    planned.push({
      show,
      id: random.id(),
      written_by: "promoter",
      author_name: show.promoter.organization.includes("Family")
        ? show.promoter.name
        : `${show.promoter.name}, ${show.promoter.organization}`,
      rating,
      body: nextWords(unread, rating, random),
      created_at: earlier(later(completedAt, random.between(1, 120) * hourMs), later(now, -dayMs / 4)),
      published_at: null,
      reply: null,
    });
  }
  for (const reviews of Map.groupBy(planned, ({ show }) => show.id).values()) publish(reviews, now, drawn);
  countStars(shows, planned);
  return planned;
}

function artistsReview(show: Show, completedAt: Date, now: Date, drawn: Random): PlannedReview {
  return {
    show,
    id: drawn.id(),
    written_by: "artist",
    author_name: show.artist.row.name,
    rating: drawn.boolean(0.8) ? 5 : 4,
    body: drawn.pick(promoterReviewTexts),
    created_at: earlier(later(completedAt, drawn.between(1, 90) * hourMs), later(now, -dayMs / 4)),
    published_at: null,
    reply: null,
  };
}

/** Publishes the reviews of one show by the product's rule, with occasional replies of the artist. */
function publish(reviews: readonly PlannedReview[], now: Date, drawn: Random): void {
  const [first, second] = reviews;
  if (!first?.show.completedAt) return;
  const end = reviewWindowEnd(first.show.completedAt);
  const bothAt = second && new Date(Math.max(first.created_at.getTime(), second.created_at.getTime()));
  const publishedAt = bothAt ?? (end <= now ? end : null);
  for (const review of reviews) {
    review.published_at = publishedAt;
    if (review.written_by !== "promoter" || !second || !publishedAt || !drawn.boolean(0.5)) continue;
    const at = earlier(later(publishedAt, drawn.between(1, 48) * hourMs), later(now, -hourMs));
    review.reply = { body: drawn.pick(replyTexts), created_at: at };
  }
}

function countStars(shows: readonly Show[], planned: readonly PlannedReview[]): void {
  const isPublic = (review: PlannedReview) => review.written_by === "promoter" && review.published_at !== null;
  const byArtist = Map.groupBy(planned.filter(isPublic), ({ show }) => show.artist.row.id);
  for (const { artist } of shows) {
    const own = byArtist.get(artist.row.id) ?? [];
    artist.row.review_count = own.length;
    artist.row.rating_x10 = own.length
      ? Math.round((own.reduce((sum, { rating }) => sum + rating, 0) * 10) / own.length)
      : 0;
  }
}

export function reviewRows(planned: readonly PlannedReview[]): ReviewHistory {
  const artistUser = ({ show }: PlannedReview) => show.artist.row.user_id ?? null;
  return {
    reviews: planned.map((review) => ({
      id: review.id,
      booking_id: review.show.id,
      artist_id: review.show.artist.row.id,
      written_by: review.written_by,
      author_name: review.author_name,
      author_user_id:
        review.written_by === "artist"
          ? artistUser(review)
          : review.show.promoter.hasAccount
            ? review.show.promoter.id
            : null,
      rating: review.rating,
      body: review.body,
      created_at: review.created_at,
      published_at: review.published_at,
    })),
    replies: planned.flatMap((review) =>
      review.reply ? [{ review_id: review.id, author_user_id: artistUser(review), ...review.reply }] : [],
    ),
  };
}

const starsBy = (draw: number): 3 | 4 | 5 => (draw < 0.74 ? 5 : draw < 0.95 ? 4 : 3);

/** Draws the texts of reviews in shuffled rounds, because neighbours must differ. */
function nextWords(unread: Map<number, string[]>, rating: number, random: Random): string {
  const left = unread.get(rating) ?? [];
  if (left.length === 0) {
    const all = reviewTexts[rating === 3 ? 3 : rating === 4 ? 4 : 5];
    left.push(
      ...all
        .map((text) => ({ text, key: random.next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ text }) => text),
    );
    unread.set(rating, left);
  }
  return left.pop() ?? "";
}
