/** Plans the reviews of played shows, and counts shows and stars on the artists' cards. */
import type { Random } from "./random.ts";
import { day, earlier, hour, later, type Show } from "./market.ts";
import { reviewTexts } from "./review-texts.ts";

const starReviews = 47;

/** One review at most for each completed show; *Electric Dreams* has 47. */
export function planReviews(shows: readonly Show[], now: Date, random: Random) {
  const stars = new Map<string, number[]>();
  const reviews: {
    id: string;
    booking_id: string;
    artist_id: string;
    author_name: string;
    rating: number;
    body: string;
    created_at: Date;
  }[] = [];
  const unread = new Map([3, 4, 5].map((rating) => [rating, [] as string[]]));
  for (const show of shows) {
    const { row } = show.artist;
    if (show.depositAt && !show.canceled) row.booked_count++;
    if (!show.completedAt) continue;
    const own = stars.get(row.id) ?? [];
    const star = row.slug === "electric-dreams";
    if (star ? own.length >= starReviews : !random.boolean(0.7)) continue;
    const rating = star ? (own.length % 9 === 4 ? 4 : 5) : starsBy(random.next());
    stars.set(row.id, [...own, rating]);
    reviews.push({
      id: random.id(),
      booking_id: show.id,
      artist_id: row.id,
      author_name: show.promoter.organization.includes("Family")
        ? show.promoter.name
        : `${show.promoter.name}, ${show.promoter.organization}`,
      rating,
      body: nextWords(unread, rating, random),
      created_at: earlier(later(show.completedAt, random.between(1, 120) * hour), later(now, -day / 4)),
    });
  }
  for (const { artist } of shows) {
    const own = stars.get(artist.row.id) ?? [];
    artist.row.review_count = own.length;
    artist.row.rating_x10 = own.length ? Math.round((own.reduce((sum, one) => sum + one, 0) * 10) / own.length) : 0;
  }
  return reviews;
}

const starsBy = (draw: number): 3 | 4 | 5 => (draw < 0.74 ? 5 : draw < 0.95 ? 4 : 3);

/** Takes the texts of a review in shuffled rounds, so that neighbours never say the same. */
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
