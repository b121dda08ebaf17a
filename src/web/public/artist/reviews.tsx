import { useState } from "react";
import type { ArtistProfile, ArtistReview } from "#artists/api.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { formatMonthOf } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import { Star } from "../../ui/star.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { Bars } from "./bars.tsx";
import styles from "./profile.module.css";
import starSpread from "./star-spread.module.css";

type Review = Omit<ArtistProfile["reviews"][number], "created_at" | "reply"> & {
  reply: { body: string } | null;
};

const pageLength = 12;

export function Reviews({
  artist,
}: {
  artist: Pick<ArtistProfile, "slug" | "name" | "review_count" | "star_counts"> & { reviews: readonly Review[] };
}) {
  const { reviews, failed, busy, more } = useReviews(artist);
  if (reviews.length === 0)
    return <p className="quiet">No reviews yet. Only promoters who booked here can write one.</p>;
  return (
    <>
      <Bars
        label="Reviews by stars"
        lines={artist.star_counts
          .map((count, at) => ({ label: at === 0 ? "1 star" : `${at + 1} stars`, count }))
          .toReversed()}
      />
      {reviews.map((review) => (
        <article className={styles.review} key={review.id}>
          <h3>{review.author_name}</h3>
          <span className="small quiet">
            {review.event_type}, {formatMonthOf(review.event_date)}, {review.rating} of 5 <Star />
          </span>
          {review.body ? <p>{review.body}</p> : null}
          {review.reply ? <ReviewReply artist={artist.name} reply={review.reply} /> : null}
        </article>
      ))}
      {more ? (
        <div className={styles.moreReviews}>
          <ErrorNote message={failed} />
          <Button tone="line" busy={busy} busyLabel="Loading..." onClick={more}>
            {failed ? "Retry" : "Show more reviews"}
          </Button>
          <span className="small quiet" role="status">
            {reviews.length} of {artist.review_count}
          </span>
        </div>
      ) : null}
    </>
  );
}

function useReviews({ slug, reviews: newest, review_count: count }: Parameters<typeof Reviews>[0]["artist"]) {
  const [added, setAdded] = useState<readonly Review[]>([]);
  const [next, setNext] = useState<string | null>();
  const [state, setState] = useState<{ busy: boolean; failed?: string }>({ busy: false });
  const reviews = [...newest, ...added];
  const load = async () => {
    setState({ busy: true });
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      // The list begins with the profile's reviews, so the first request loads them again, plus one page.
      const limit = next === undefined ? newest.length + pageLength : pageLength;
      const page = await browserApi.reviews.ofArtist({ slug, limit, ...(next ? { cursor: next } : {}) });
      const known = new Set(reviews.map(({ id }) => id));
      setAdded((before) => [...before, ...page.items.filter(({ id }) => !known.has(id))]);
      setNext(page.nextCursor);
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, failed: apiErrorOf(error).message });
    }
  };
  const complete = next === null || (next === undefined && count <= newest.length);
  return { reviews, ...state, more: complete ? undefined : () => void load() };
}

function ReviewReply({
  artist,
  reply,
}: Readonly<{ artist: string; reply: Pick<NonNullable<ArtistReview["reply"]>, "body"> }>) {
  return (
    <div className={starSpread.reply}>
      <h4>{artist} replied</h4>
      <p>{reply.body}</p>
    </div>
  );
}
