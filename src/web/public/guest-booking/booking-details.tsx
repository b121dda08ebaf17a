import { useState, useCallback, useEffect } from "react";
import { posterUrl } from "#artists/rules.ts";
import { paths, documentsAnchor } from "#platform/site-paths.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { NextActions, releaseOwnHold } from "../../booking/actions/promoter-actions.tsx";
import { AddToCalendar } from "../../booking/add-to-calendar.tsx";
import { BookingSections, Deadlines, LoadedSection, NowBanner } from "../../booking/booking-sections.tsx";
import { DocumentList } from "../../booking/documents/document-list.tsx";
import { OpenProposal } from "../../booking/force-majeure/open-proposal.tsx";
import { type BookingResponse, isReviewOpen, isShowOver } from "../../booking/status/progress.ts";
import type { Query } from "../../dashboard/section-failed.tsx";
import { formatDay, formatDayAndMonth } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useSendLink } from "../send-link.tsx";
import sections from "../../booking/booking.module.css";
import shared from "../programme.module.css";
import styles from "./guest-booking.module.css";

type Props = Readonly<{
  booking: BookingResponse;
  /** False until the browser has the cookie, which the actions and the documents need. */
  isOpened: boolean;
  onChanged(): void;
}>;

const guestActions = [releaseOwnHold];

export function BookingDetails({ booking, isOpened, onChanged }: Props) {
  const { artist } = booking;
  return (
    <div className={`wrap ${styles.page}`} data-unopened={isOpened ? undefined : ""}>
      <header className={styles.head}>
        <span className="poster">
          <img src={posterUrl(artist)} width={600} height={800} alt="" />
        </span>
        <div>
          <p className={styles.number}>
            <StatusBadge entity="booking" value={booking.status} /> <span className="num quiet">{booking.number}</span>{" "}
            <Deadlines booking={booking} />
          </p>
          <h1>
            {artist.name}, {formatDayAndMonth(booking.event_date)}
          </h1>
          <p className={shared.lead}>
            {booking.venue_name}, {formatDay(booking.event_date, { year: true })}, {booking.event_time} (
            {formatTimeZone(booking.time_zone)})
          </p>
          {isShowOver(booking) ? null : (
            <p className={styles.calendar}>
              <AddToCalendar id={booking.id} size="sm" canceled={booking.status === "canceled"} />
            </p>
          )}
        </div>
      </header>
      <OpenProposal booking={booking} onChanged={onChanged} />
      <NowBanner booking={booking}>
        <NextActions booking={booking} onChanged={onChanged} after={guestActions} />
        {booking.mailbox_unverified &&
        ["initiated", "deposit_paid", "contract_sent", "contract_signed"].includes(booking.status) ? (
          <VerifyMailbox id={booking.id} />
        ) : null}
      </NowBanner>
      <BookingSections
        booking={booking}
        onChanged={onChanged}
        poster={false}
        documents={<GuestDocuments booking={booking} isOpened={isOpened} />}
        reviews={<GuestReviews booking={booking} isOpened={isOpened} />}
      >
        {booking.viewer === "guest" && !booking.has_account ? <KeepBooking booking={booking} /> : null}
      </BookingSections>
    </div>
  );
}

/** Canceling, confirming and reporting a no-show require the verified mailbox, because anyone could have typed its address into the form. */
function VerifyMailbox({ id }: { id: string }) {
  const { send, busy, message, failed } = useSendLink(id);
  return (
    <p className="small">
      To cancel or report a problem, open this page from our email.{" "}
      <button
        type="button"
        className={styles.textButton}
        aria-busy={busy || undefined}
        onClick={() => void (busy || send())}
      >
        {busy ? "Sending..." : "Get a link to this booking"}
      </button>
      {message ? (
        <span className={styles.sent} role={failed ? "alert" : "status"}>
          {failed ? message : "We emailed a link to the address of your request. We send at most three an hour."}
        </span>
      ) : null}
    </p>
  );
}

function KeepBooking({ booking }: { booking: BookingResponse }) {
  return (
    <section className={sections.section}>
      <h2>Keep this booking</h2>
      <p className="small">
        The links in our emails open this page for 30 days, without signing in. With a promoter account for the same
        address, this booking and all your others open at any time after you sign in. Links in earlier emails then
        require signing in too.
      </p>
      <p className={styles.keep}>
        <LinkButton
          tone="line"
          wide
          to={paths.signUpAs({ name: booking.promoter_name, email: booking.promoter_email ?? "" })}
        >
          Create an account with this address
        </LinkButton>
      </p>
      <p className="small quiet">Everything here also works without an account.</p>
    </section>
  );
}

type BrowserApi = (typeof import("../../lib/api/browser-api.ts"))["browserApi"];
type OwnSection = Omit<Props, "onChanged">;

/** Reads a section separately, and again with the page. `read` must be a stable function: another one reloads immediately. */
function useSection<T>({ booking, isOpened }: OwnSection, read: (api: BrowserApi, id: string) => Promise<T>): Query<T> {
  const [result, setResult] = useState<Readonly<{ data: T | undefined; error: unknown }>>({
    data: undefined,
    error: null,
  });
  const { id } = booking;
  const load = useCallback(async () => {
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      setResult({ data: await read(browserApi, id), error: null });
    } catch (error) {
      setResult(({ data }) => ({ data, error }));
    }
  }, [read, id]);
  useEffect(() => {
    if (isOpened) void load();
  }, [load, booking, isOpened]);
  return { ...result, isFetching: false, refetch: load };
}

/** With the section's script, which a booking needs only after its show. */
async function readReviews(api: BrowserApi, id: string) {
  const [reviews, { ReviewSection }] = await Promise.all([
    api.reviews.ofBooking({ id }),
    import("../../booking/reviews/review-section.tsx"),
  ]);
  return { reviews, ReviewSection };
}

function GuestReviews(page: OwnSection) {
  const query = useSection(page, readReviews);
  return (
    <LoadedSection title="Reviews" height={isReviewOpen(page.booking) ? "24rem" : "5rem"} query={query}>
      {({ reviews, ReviewSection }) => (
        <ReviewSection booking={page.booking} reviews={reviews} onChanged={query.refetch} />
      )}
    </LoadedSection>
  );
}

const readDocuments = async (api: BrowserApi, id: string) => (await api.documents.ofBooking({ id })).items;

const GuestDocuments = (page: OwnSection) => (
  <LoadedSection
    title="Receipts and invoices"
    id={documentsAnchor}
    height="3.5rem"
    query={useSection(page, readDocuments)}
  >
    {(documents) => <DocumentList documents={documents} />}
  </LoadedSection>
);
