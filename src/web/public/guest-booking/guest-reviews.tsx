import type { BookingResponse } from "../../booking/progress.ts";
import { ReviewSection, type ReviewsResponse } from "../../booking/reviews/review-section.tsx";
import { type BrowserApi, GuestPart } from "./guest-part.tsx";

const readReviews = (api: BrowserApi, id: string): Promise<ReviewsResponse> => api.reviews.ofBooking({ id });

export const GuestReviews = ({ booking }: Readonly<{ booking: BookingResponse }>) => (
  <GuestPart booking={booking} title="Reviews" read={readReviews}>
    {(reviews, readAgain) => <ReviewSection booking={booking} reviews={reviews} onChanged={readAgain} />}
  </GuestPart>
);
