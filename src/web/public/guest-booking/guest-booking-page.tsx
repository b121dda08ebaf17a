/** /booking/{id}: a booking for its promoter without an account, by this browser's cookie or a signed link from an email. */
import { useCallback } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { ErrorState } from "../../ui/states.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import shared from "../programme.module.css";
import { BookingDetails } from "./booking-details.tsx";
import { UnknownBooking } from "./unknown-booking.tsx";
import { useBookingPage } from "./use-booking-page.ts";

export const meta = () => [
  { title: "Your booking" },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

export default function GuestBookingPage() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const link = query.get("link");
  // The cookie opens the page from now on, so the secret is removed from address and history.
  const forgetLink = useCallback(
    () => void navigate({ search: "", hash: window.location.hash }, { replace: true, preventScrollReset: true }),
    [navigate],
  );
  const { state, retry, reload } = useBookingPage(id, link, forgetLink);
  switch (state.phase) {
    case "loading":
      return (
        <div className={shared.mid} aria-busy>
          <h1>Your booking</h1>
          <Spinner />
        </div>
      );
    case "unknown":
      return <UnknownBooking id={id} />;
    case "failed":
      return (
        <div className={shared.mid}>
          <ErrorState
            heading="h1"
            title="The booking could not be loaded"
            text={`${state.message} Nothing was changed.`}
            reference={state.reference}
            onRetry={retry}
          />
        </div>
      );
    case "known":
      return <BookingDetails booking={state.booking} onChanged={reload} />;
  }
}
