import { Loaded } from "../dashboard/section-failed.tsx";
import { useBookingReviews, useReviewsChanged, useUnhideReview } from "../lib/api/reviews.ts";
import { attempt } from "../lib/attempt.ts";
import { Skeleton } from "../ui/states/skeleton.tsx";
import { openHideReviewDialog } from "./reviews/hide-review-dialog.tsx";
import { ReviewSection, type BookingReview } from "./reviews/review-section.tsx";
import { type BookingResponse, isReviewOpen } from "./status/progress.ts";
import styles from "./booking.module.css";

export function BookingReviews({ booking }: Readonly<{ booking: BookingResponse }>) {
  const query = useBookingReviews(booking.id);
  const changed = useReviewsChanged();
  const unhide = useUnhideReview();
  const showAgain = (review: BookingReview) =>
    attempt(() => unhide.mutateAsync({ id: review.id }), {
      title: "Review shown again",
      text: "It is public and included in the rating.",
    });
  return (
    <section className={styles.section}>
      <h2>Reviews</h2>
      <Loaded query={query} what="Reviews" loading={<Skeleton height={isReviewOpen(booking) ? "24rem" : "5rem"} />}>
        {(reviews) => (
          <ReviewSection
            booking={booking}
            reviews={reviews}
            onChanged={() => void changed()}
            moderation={{
              hide: (review) => openHideReviewDialog({ review }),
              unhide: (review) => void showAgain(review),
            }}
          />
        )}
      </Loaded>
    </section>
  );
}
