/** /booking/{id}: a booking for its promoter without an account, by this browser's cookie or a signed link from an email. */

import { useCallback, useEffect, useRef, useState } from "react";
import { data, type ShouldRevalidateFunction, useNavigate, useSearchParams } from "react-router";
import { bookingSkeleton, RecordLoading } from "../../booking/record-page.tsx";
import type { BookingResponse } from "../../booking/status/progress.ts";
import { apiErrorOf, unlessMissing } from "../../lib/api-error.ts";
import { apiContext, asReceived } from "../../lib/api/api-context.ts";
import { browserApi } from "../../lib/api/browser-api.ts";
import { mayBeSignedIn, startSession } from "../../lib/auth/session.ts";
import { usePageTime } from "../../lib/browser/use-page-time.ts";
import type { PageTime } from "../../lib/page-time.ts";
import { renderedTime } from "../../lib/rendered-time.ts";
import { privateHeaders, unlistedMeta } from "../../lib/unlisted-meta.ts";
import { ErrorState } from "../../ui/states/states.tsx";
import { MissingPage } from "../not-found/missing-page.tsx";
import { SendNewLink } from "../send-link.tsx";
import type { Route } from "./+types/guest-booking-page.ts";
import { BookingDetails } from "./booking-details.tsx";
import styles from "./guest-booking.module.css";

type Rendered = Readonly<{ state: PageState; time?: PageTime }>;

/** Renders the booking for the browser's cookie or the link, which stays unused: the browser exchanges it. */
export async function loader({ params: { id }, request, context }: Route.LoaderArgs) {
  const link = new URL(request.url).searchParams.get("link");
  const booking = await unlessMissing(context.get(apiContext).bookings.read({ id, ...(link ? { link } : {}) }));
  if (booking) {
    const known: PageState = { phase: "known", booking: asReceived(booking), isOpened: !link };
    return data<Rendered>({ state: known, time: await renderedTime(context, booking.time_zone) });
  }
  // An account may have access. Only the browser knows it.
  if (mayBeSignedIn(request.headers.get("cookie") ?? "")) return data<Rendered>({ state: { phase: "loading" } });
  return data<Rendered>({ state: { phase: "unknown" } }, { status: 404 });
}

export const clientLoader = (): Rendered => ({ state: { phase: "loading" } });

export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams["id"] !== nextParams["id"];

export const headers = privateHeaders;

export const meta = () => unlistedMeta("Your booking", true);

export default function GuestBookingPage({ params: { id }, loaderData }: Route.ComponentProps) {
  usePageTime(loaderData.time);
  return <GuestBooking key={id} id={id} rendered={loaderData.state} />;
}

function GuestBooking({ id, rendered }: Readonly<{ id: string; rendered: PageState }>) {
  const { state, retry, reload } = useBookingPage(id, rendered);
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
      return <BookingDetails booking={state.booking} isOpened={state.isOpened} onChanged={reload} />;
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
  /** `isOpened` is false until the browser has exchanged the link for the cookie. */
  | Readonly<{ phase: "known"; booking: BookingResponse; isOpened: boolean }>;

const refreshMs = 20_000;

/** Loads and polls the booking, which the server may have rendered. */
function useBookingPage(id: string, rendered: PageState) {
  const [state, setState] = useState(rendered);
  const [query] = useSearchParams();
  const link = useRef(query.get("link"));
  const navigate = useNavigate();
  const load = useCallback(async () => {
    const next = await readPage(id, link.current);
    setState((before) => (next.phase === "failed" && before.phase === "known" && before.isOpened ? before : next));
    if (next.phase !== "known" || !link.current) return;
    // The cookie opens the page from now on, so the secret is removed from address and history.
    link.current = null;
    void navigate({ search: "", hash: window.location.hash }, { replace: true, preventScrollReset: true });
  }, [id, navigate]);
  useEffect(() => {
    const isForVisitor = !link.current && !mayBeSignedIn(document.cookie);
    if (rendered.phase !== "unknown" && (rendered.phase === "loading" || !isForVisitor)) void load();
    const again = () => document.visibilityState === "visible" && void load();
    const timer = setInterval(again, refreshMs);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [load, rendered]);
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
    return { phase: "known", booking, isOpened: true };
  } catch (error) {
    const { status, message, reference } = apiErrorOf(error);
    // Another user's booking gets the same response as a missing one.
    return status === 404 || status === 400 ? { phase: "unknown" } : { phase: "failed", message, reference };
  }
}
