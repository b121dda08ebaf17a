import { useBookingReviews, useReviewsChanged } from "../lib/api/reviews.ts";
import { LoadedSection } from "./booking-sections.tsx";
import { ReviewSection } from "./reviews/review-section.tsx";
import { useReviewModeration } from "./reviews/use-review-moderation.tsx";
import { type BookingResponse, isReviewOpen } from "./status/progress.ts";

export function BookingReviews({ booking }: Readonly<{ booking: BookingResponse }>) {
  const query = useBookingReviews(booking.id);
  const changed = useReviewsChanged();
  const moderation = useReviewModeration();
  return (
    <LoadedSection title="Reviews" height={isReviewOpen(booking) ? "24rem" : "5rem"} query={query}>
      {(reviews) => (
        <ReviewSection booking={booking} reviews={reviews} onChanged={() => void changed()} moderation={moderation} />
      )}
    </LoadedSection>
  );
}
