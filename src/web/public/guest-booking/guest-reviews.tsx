/** The reviews on the guest's page of a booking. They follow the page, which reads itself again while it is seen. */
import { useCallback, useEffect, useState } from "react";
import { type ApiError, apiErrorOf } from "../../lib/api/api-error.ts";
import type { ShownBooking } from "../../lib/booking/progress.ts";
import { ReviewSection, type ShownReviews } from "../../reviews/review-section.tsx";
import { Button } from "../../ui/button.tsx";
import shared from "../programme.module.css";

/** Reads the reviews; what could not be read says so and takes nothing away. */
export function GuestReviews({ booking }: Readonly<{ booking: ShownBooking }>) {
  const [reviews, setReviews] = useState<ShownReviews>();
  const [error, setError] = useState<ApiError>();
  const { id } = booking;
  const load = useCallback(async () => {
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      setReviews(await browserApi.reviews.ofBooking({ id }));
      setError(undefined);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }, [id]);
  useEffect(() => void load(), [load, booking]);
  return (
    <section className={shared.part}>
      <h2>Reviews</h2>
      {reviews ? <ReviewSection booking={booking} reviews={reviews} onChanged={() => void load()} /> : null}
      {error && !reviews ? (
        <>
          <p role="alert" className="note cherry">
            The reviews could not be loaded. {error.message}
          </p>
          <Button tone="line" onClick={() => void load()}>
            Retry
          </Button>
        </>
      ) : null}
    </section>
  );
}
