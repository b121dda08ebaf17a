import type { ShownBooking } from "../../booking/progress.ts";
import { ReviewSection, type ShownReviews } from "../../booking/reviews/review-section.tsx";
import { type BrowserApi, GuestPart } from "./guest-part.tsx";

const readReviews = (api: BrowserApi, id: string): Promise<ShownReviews> => api.reviews.ofBooking({ id });

export const GuestReviews = ({ booking }: Readonly<{ booking: ShownBooking }>) => (
  <GuestPart booking={booking} title="Reviews" read={readReviews}>
    {(reviews, readAgain) => <ReviewSection booking={booking} reviews={reviews} onChanged={readAgain} />}
  </GuestPart>
);
