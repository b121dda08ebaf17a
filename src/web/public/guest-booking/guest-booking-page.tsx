/** /booking/{id}: a booking for its promoter without an account, by this browser's cookie or a signed link from an email. */

import { useCallback, useEffect, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { bookingSkeleton, RecordLoading } from "../../booking/record-page.tsx";
import type { BookingResponse } from "../../booking/status/progress.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { browserApi } from "../../lib/api/browser-api.ts";
import { startSession } from "../../lib/auth/session.ts";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { ErrorState } from "../../ui/states/states.tsx";
import { MissingPage } from "../not-found/missing-page.tsx";
import { SendNewLink } from "../send-link.tsx";
import { BookingDetails } from "./booking-details.tsx";
import styles from "./guest-booking.module.css";

export const meta = () => unlistedMeta("Your booking", true);

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
        <div className={`wrap ${styles.loading}`}>
          <RecordLoading name="booking" skeleton={bookingSkeleton} />
        </div>
      );
    case "unknown":
      return <UnknownBooking id={id} />;
    case "failed":
      return (
        <div className="wrap">
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

function UnknownBooking({ id }: { id: string }) {
  return (
    <MissingPage
      titleIsText
      title="We cannot open this booking"
      text="This browser has no access to it, or the link has expired. A link from our emails opens a booking for 30 days, in any browser. A booking that belongs to an account opens after signing in. We can send a new link to the address that the request was made with."
    >
      <SendNewLink id={id} />
    </MissingPage>
  );
}

type PageState =
  | Readonly<{ phase: "loading" | "unknown" }>
  | Readonly<{ phase: "failed"; message: string; reference: string | undefined }>
  | Readonly<{ phase: "known"; booking: BookingResponse }>;

const refreshMs = 20_000;

/** Loads and polls the booking. First exchanges a signed link for a cookie, then calls `onOpened`. */
function useBookingPage(id: string, link: string | null, onOpened: () => void) {
  const [state, setState] = useState<PageState>({ phase: "loading" });
  const load = useCallback(async () => {
    const next = await readPage(id, link);
    setState((before) => (next.phase === "failed" && before.phase === "known" ? before : next));
    if (next.phase === "known" && link) onOpened();
  }, [id, link, onOpened]);
  useEffect(() => {
    void load();
    const again = () => document.visibilityState === "visible" && void load();
    const timer = setInterval(again, refreshMs);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [load]);
  const retry = () => {
    setState({ phase: "loading" });
    void load();
  };
  return { state, retry, reload: () => void load() };
}

async function readPage(id: string, link: string | null): Promise<PageState> {
  try {
    await startSession();
    const booking = link ? await browserApi.bookings.open({ id, link }) : await browserApi.bookings.read({ id });
    return { phase: "known", booking };
  } catch (error) {
    const { status, message, reference } = apiErrorOf(error);
    // Another user's booking gets the same response as a missing one.
    return status === 404 || status === 400 ? { phase: "unknown" } : { phase: "failed", message, reference };
  }
}
