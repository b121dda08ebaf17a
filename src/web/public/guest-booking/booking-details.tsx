import { useState, type ReactNode, type Ref, useCallback, useEffect } from "react";
import { posterUrl } from "#artists/rules.ts";
import { paths, documentsAnchor } from "#platform/site-paths.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { confirmShowText, releasedToast, ownHoldOf, releaseHoldText } from "../../booking/actions/confirmation-text.ts";
import { CorrectEmail } from "../../booking/actions/correct-email.tsx";
import { PayButton } from "../../booking/actions/pay-button.tsx";
import { ReportNoShow } from "../../booking/actions/report-no-show.tsx";
import { AddToCalendar } from "../../booking/add-to-calendar.tsx";
import { BookingSections, Deadlines } from "../../booking/booking-sections.tsx";
import { CancelBooking } from "../../booking/cancellation/cancel-booking.tsx";
import { SignContract } from "../../booking/contract/sign-contract.tsx";
import { DocumentList, type BookingDocument } from "../../booking/documents/document-list.tsx";
import { OpenProposal } from "../../booking/force-majeure/open-proposal.tsx";
import { ProposeForceMajeure } from "../../booking/force-majeure/propose-force-majeure.tsx";
import { ConfirmButton } from "../../booking/plain-dialog.tsx";
import { type BookingResponse, isBalanceFarAhead, isShowOver } from "../../booking/status/progress.ts";
import { statusMessageFor } from "../../booking/status/status-message.ts";
import { type ApiError, apiErrorOf } from "../../lib/api-error.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { attempt } from "../../lib/attempt.ts";
import { useScrollToAnchor } from "../../lib/browser/use-scroll-to-anchor.ts";
import { formatDay, formatDayAndMonth } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { LinkButton, Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useSendLink } from "../send-link.tsx";
import rows from "../../booking/actions/actions.module.css";
import sections from "../../booking/booking.module.css";
import shared from "../programme.module.css";
import styles from "./guest-booking.module.css";

type Props = Readonly<{
  booking: BookingResponse;
  /** False until the browser has the cookie, which the actions and the documents need. */
  isOpened: boolean;
  onChanged(): void;
}>;

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
      <NowBanner booking={booking} onChanged={onChanged} />
      <BookingSections
        booking={booking}
        onChanged={onChanged}
        poster={false}
        endings={
          <div className={rows.rare}>
            {booking.can.cancel ? <CancelBooking booking={booking} onChanged={onChanged} /> : null}
            <ProposeForceMajeure booking={booking} onChanged={onChanged} />
          </div>
        }
        documents={<GuestDocuments booking={booking} isOpened={isOpened} />}
        reviews={<GuestReviews booking={booking} isOpened={isOpened} />}
      >
        {booking.viewer === "guest" && !booking.has_account ? <KeepBooking booking={booking} /> : null}
      </BookingSections>
    </div>
  );
}

function NowBanner({ booking, onChanged }: Omit<Props, "isOpened">) {
  const now = statusMessageFor(booking);
  const [busy, setBusy] = useState(false);
  const run = async (action: (api: typeof browserApi) => Promise<unknown>, done: { title: string; text: string }) => {
    setBusy(true);
    await attempt(async () => {
      const { browserApi: api } = await import("../../lib/api/browser-api.ts");
      await action(api);
      toast(done);
    });
    setBusy(false);
    onChanged();
  };
  const hold = ownHoldOf(booking);
  const releaseHold = () => run((api) => api.bookings.releaseOwnHold({ id: booking.id }), releasedToast(hold));
  const complete = () =>
    run((api) => api.bookings.complete({ id: booking.id }), {
      title: "The show is confirmed",
      text: "The booking is completed.",
    });
  return (
    <section className={`note ${now.tone} ${styles.now}`} aria-label="Now" aria-live="polite">
      <p>
        <strong>{now.title}</strong>
        <br />
        {now.text}
      </p>
      <div className={`${shared.actions} ${styles.nowActions}`}>
        {booking.can.pay ? (
          <PayButton booking={booking} primary={!isBalanceFarAhead(booking)} />
        ) : booking.status === "canceled" && booking.artist.has_page ? (
          <LinkButton to={paths.artist(booking.artist.slug)}>View other dates</LinkButton>
        ) : null}
        {booking.can.sign ? <SignContract booking={booking} /> : null}
        {booking.can.complete ? (
          <ConfirmButton
            label="Confirm the show"
            text={confirmShowText(booking.artist.name)}
            cancel="Not yet"
            confirm="The show was played"
            busy={busy}
            busyLabel="Confirming..."
            onConfirm={complete}
          />
        ) : null}
        {booking.can.release_own_hold ? (
          <ConfirmButton
            label="Release hold"
            tone="line"
            text={releaseHoldText(booking.artist.name, booking.event_date, hold)}
            cancel="Keep hold"
            confirm="Release hold"
            danger
            busy={busy}
            busyLabel="Releasing..."
            onConfirm={releaseHold}
          />
        ) : null}
      </div>
      <div className={rows.rare}>
        {booking.can.report_no_show ? <ReportNoShow booking={booking} onChanged={onChanged} /> : null}
        {booking.can_correct_email ? <CorrectEmail booking={booking} onChanged={onChanged} /> : null}
      </div>
      {booking.mailbox_unverified &&
      ["initiated", "deposit_paid", "contract_sent", "contract_signed"].includes(booking.status) ? (
        <VerifyMailbox id={booking.id} />
      ) : null}
    </section>
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

/** With the section's script, which a booking needs only after its show. */
async function readReviews(api: BrowserApi, id: string) {
  const [reviews, { ReviewSection }] = await Promise.all([
    api.reviews.ofBooking({ id }),
    import("../../booking/reviews/review-section.tsx"),
  ]);
  return { reviews, ReviewSection };
}

type OwnSection = Omit<Props, "onChanged">;

const GuestReviews = (page: OwnSection) => (
  <GuestSection {...page} title="Reviews" read={readReviews}>
    {({ reviews, ReviewSection }, readAgain) => (
      <ReviewSection booking={page.booking} reviews={reviews} onChanged={readAgain} />
    )}
  </GuestSection>
);

const readDocuments = async (api: BrowserApi, id: string): Promise<readonly BookingDocument[]> =>
  (await api.documents.ofBooking({ id })).items;

function GuestDocuments(page: OwnSection) {
  const section = useScrollToAnchor<HTMLElement>(documentsAnchor);
  return (
    <GuestSection
      {...page}
      title="Receipts and invoices"
      loading="Loading the receipts and invoices"
      id={documentsAnchor}
      section={section}
      read={readDocuments}
    >
      {(documents) => <DocumentList documents={documents} />}
    </GuestSection>
  );
}

type BrowserApi = (typeof import("../../lib/api/browser-api.ts"))["browserApi"];

type SectionProps<T> = OwnSection &
  Readonly<{
    title: string;
    /** Must be a stable function. Another one reloads immediately. */
    read(api: BrowserApi, id: string): Promise<T>;
    id?: string;
    section?: Ref<HTMLElement>;
    loading?: string;
    children(data: T, readAgain: () => void): ReactNode;
  }>;

/** A part of the guest page that loads separately. It reloads with the page. */
function GuestSection<T>({ booking, isOpened, title, read, id, section, loading, children }: SectionProps<T>) {
  const [data, setData] = useState<T>();
  const [error, setError] = useState<ApiError>();
  const { id: bookingId } = booking;
  const load = useCallback(async () => {
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      setData(await read(browserApi, bookingId));
      setError(undefined);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }, [read, bookingId]);
  useEffect(() => {
    if (isOpened) void load();
  }, [load, booking, isOpened]);
  return (
    <section className={sections.section} id={id} ref={section}>
      <h2>{title}</h2>
      {data === undefined ? null : children(data, () => void load())}
      {error && data === undefined ? (
        <>
          <p role="alert" className="note cherry">
            The {title.toLowerCase()} could not be loaded. {error.message}
          </p>
          <Button tone="line" onClick={() => void load()}>
            Retry
          </Button>
        </>
      ) : null}
      {loading === undefined || error || data !== undefined ? null : (
        <p className="small quiet" role="status">
          {loading}
        </p>
      )}
    </section>
  );
}
