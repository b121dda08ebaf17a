import { Loaded } from "../dashboard/section-failed.tsx";
import { useBookingReviews, useReviewsChanged } from "../lib/api/reviews.ts";
import { Skeleton } from "../ui/states/skeleton.tsx";
import { ReviewSection } from "./reviews/review-section.tsx";
import { useReviewModeration } from "./reviews/use-review-moderation.tsx";
import { type BookingResponse, isReviewOpen } from "./status/progress.ts";
import styles from "./booking.module.css";

export function BookingReviews({ booking }: Readonly<{ booking: BookingResponse }>) {
  const query = useBookingReviews(booking.id);
  const changed = useReviewsChanged();
  const moderation = useReviewModeration();
  return (
    <section className={styles.section}>
      <h2>Reviews</h2>
      <Loaded query={query} what="Reviews" loading={<Skeleton height={isReviewOpen(booking) ? "24rem" : "5rem"} />}>
        {(reviews) => (
          <ReviewSection booking={booking} reviews={reviews} onChanged={() => void changed()} moderation={moderation} />
        )}
      </Loaded>
    </section>
  );
}
