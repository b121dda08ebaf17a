import type { ReactNode } from "react";
import { capitalized } from "#platform/text.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { endedAsNoShow } from "#reviews/rules.ts";
import { Loaded, type Query } from "../dashboard/section-failed.tsx";
import { useScrollToAnchor } from "../lib/browser/use-scroll-to-anchor.ts";
import { viewerZone } from "../lib/format/dates.ts";
import { pageTime } from "../lib/page-time.ts";
import { LoadingStatus, Skeleton } from "../ui/states/skeleton.tsx";
import { EndingActions } from "./actions/promoter-actions.tsx";
import { Contract, Night, People } from "./details/details.tsx";
import { Money } from "./money/money.tsx";
import { ProfileListing } from "./profile-listing.tsx";
import { describeDeadline, openDeadlines } from "./status/deadline-text.ts";
import { type BookingResponse, isReviewOpen, momentOf, showTimeOf, stepsAhead } from "./status/progress.ts";
import { statusMessageFor } from "./status/status-message.ts";
import { useNow } from "./use-now.ts";
import styles from "./booking.module.css";

type Props = Readonly<{
  booking: BookingResponse;
  onChanged(): void;
  documents: ReactNode;
  reviews: ReactNode;
  records?: ReactNode;
  disputes?: ReactNode;
  poster?: boolean;
  children?: ReactNode;
}>;

export function BookingSections({ booking, onChanged, children, ...parts }: Props) {
  const reviewsFirst = isReviewOpen(booking);
  return (
    <div className={styles.columns}>
      <div>
        {reviewsFirst ? parts.reviews : null}
        <section className={styles.section}>
          <h2>Money</h2>
          <Money booking={booking} onChanged={onChanged} />
          {/* Below the money, which states the consequences. */}
          <EndingActions booking={booking} onChanged={onChanged} />
          {parts.records}
        </section>
        {booking.money.paid_cents > 0 ? parts.documents : null}
        {parts.disputes}
        {!reviewsFirst && (booking.status === "completed" || endedAsNoShow(booking)) ? parts.reviews : null}
        <Timeline booking={booking} />
      </div>
      <div>
        <Night booking={booking} poster={parts.poster} />
        <Contract booking={booking} onChanged={onChanged} />
        <ProfileListing booking={booking} onChanged={onChanged} />
        <People booking={booking} />
        {children}
      </div>
    </div>
  );
}

type LoadedProps<T> = Readonly<{
  title: string;
  id?: string;
  height: string;
  query: Query<T>;
  children(data: T): ReactNode;
}>;

/** A section that loads separately. `id` is its anchor, `height` that of its skeleton. */
export function LoadedSection<T>({ title, id = "", height, query, children }: LoadedProps<T>) {
  const what = `the ${title.toLowerCase()}`;
  return (
    <section className={styles.section} id={id || undefined} ref={useScrollToAnchor<HTMLElement>(id)}>
      <h2>{title}</h2>
      <Loaded
        query={query}
        what={capitalized(what)}
        loading={
          <>
            <LoadingStatus what={what} />
            <Skeleton height={height} />
          </>
        }
      >
        {children}
      </Loaded>
    </section>
  );
}

type NowProps = Readonly<{ booking: BookingResponse; link?: ReactNode; children: ReactNode }>;

export function NowBanner({ booking, link, children }: NowProps) {
  const { tone, title, text } = statusMessageFor(booking);
  return (
    <section className={`note ${tone} ${styles.now}`} aria-label="Now" aria-live="polite">
      <p>
        <strong>{title}</strong> {text} {link}
      </p>
      {children}
    </section>
  );
}

export function Deadlines({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { deadlines } = booking;
  const about = useNow(30_000).getTime();
  const soon = deadlines.some(({ at }) => Math.abs(new Date(at).getTime() - about) < 1.1 * hourMs);
  const now = useNow(soon ? 1_000 : 30_000);
  return openDeadlines(booking, now).map((deadline, at) => (
    <span key={deadline.kind} className={`num ${styles.deadline}`} data-first={at === 0 || undefined}>
      {describeDeadline(deadline, now, booking)}
    </span>
  ));
}

const amountsElsewhere: ReadonlySet<BookingResponse["timeline"][number]["kind"]> = new Set([
  "checkout_opened",
  "deposit_paid",
  "balance_paid",
  "paid_out",
]);

function Timeline({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { status } = booking;
  // A guest has opened the checkout, and needs only its result.
  const timeline = booking.timeline.filter(({ kind }) => booking.viewer !== "guest" || kind !== "checkout_opened");
  const ahead = stepsAhead(booking);
  const live = status !== "completed" && status !== "canceled";
  const last = timeline.findLastIndex(({ kind }) => kind !== "email");
  return (
    <section className={styles.section}>
      <h2>Timeline</h2>
      <p className="small quiet">
        Times are in {pageTime() ? "venue time" : "your time zone"} ({formatTimeZone(viewerZone())}).
      </p>
      <ol className={styles.timeline}>
        {timeline.map(({ at, kind, text, by, detail }, row) => (
          <li key={row}>
            <time dateTime={new Date(at).toISOString()}>{capitalized(momentOf(booking, { at, kind }))}</time>
            <span
              className={styles.dot}
              data-state={live && row === last ? "now" : "done"}
              data-kind={kind}
              aria-hidden
            />
            <span>
              <strong>{text}</strong>
              {kind === "show" ? <small>{showTimeOf(booking)}</small> : null}
              {(by || detail) && !amountsElsewhere.has(kind) ? (
                <small>{[by, detail].filter(Boolean).join(", ")}</small>
              ) : null}
            </span>
          </li>
        ))}
        {ahead.map(({ title, text, when }) => (
          <li key={title}>
            <span className={styles.when}>{when}</span>
            <span className={styles.dot} aria-hidden />
            <span>
              {title}
              <small>{text}</small>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
