import "../ui/print.css";
import { useTitle } from "../lib/use-title.ts";
import type { ReactNode } from "react";
import { OpenProposal } from "./force-majeure/open-proposal.tsx";
import { useBooking, useRefreshBookings } from "../lib/api/booking-page.ts";
import { AddToCalendar } from "./add-to-calendar.tsx";
import { type BookingResponse, momentOf, showTimeOf, stepsAhead } from "./progress.ts";
import { formatDay, formatDayAndMonth } from "../lib/format/dates.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { endedAsNoShow } from "#reviews/rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { BookingReviews } from "./booking-reviews.tsx";
import { BookingActions, EndingActions } from "./actions/booking-actions.tsx";
import { BookingDocuments } from "./booking-documents.tsx";
import styles from "./booking.module.css";
import { Contract, Night, People } from "./details/details.tsx";
import { Disputes } from "./disputes/disputes.tsx";
import { RecordPage } from "./record-page.tsx";
import { Money } from "./money/money.tsx";
import { MoneyRecords } from "./money/money-records.tsx";
import { describeDeadline, openDeadlines, statusMessageFor } from "./status-message.ts";
import { useNow } from "./use-now.ts";

type Props = Readonly<{
  id: string;
  listPath: string;
  warnings?: ReactNode;
}>;

export function BookingPage({ id, listPath, warnings }: Props) {
  return (
    <RecordPage
      query={useBooking(id)}
      name="booking"
      list={{ label: "Bookings", to: listPath }}
      missing="There is no booking at this address, or it does not belong to you."
      skeleton={{
        lead: "0.9rem",
        columns: [
          ["16rem", "20rem"],
          ["18rem", "9rem"],
        ],
      }}
    >
      {(booking) => <Known booking={booking} warnings={warnings} />}
    </RecordPage>
  );
}

function Known({ booking, warnings }: Readonly<{ booking: BookingResponse }> & Pick<Props, "warnings">) {
  const now = statusMessageFor(booking);
  const refresh = useRefreshBookings();
  useTitle(`${booking.artist.name}, ${formatDayAndMonth(booking.event_date, { short: true })} · ${booking.number}`);
  const other = booking.viewer === "artist" ? booking.promoter_name : booking.artist.name;
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>
            {other}, {formatDayAndMonth(booking.event_date)}
          </h1>
          <AddToCalendar id={booking.id} size="sm" canceled={booking.status === "canceled"} />
        </div>
        <div className={styles.status}>
          <StatusBadge entity="booking" value={booking.status} />
          <span className="num quiet">{booking.number}</span>
          <Deadlines booking={booking} />
        </div>
        <p className="quiet">
          {booking.venue_name}, {formatDay(booking.event_date, { year: true })}, {booking.event_time} (
          {formatTimeZone(booking.time_zone)})
        </p>
      </header>
      {warnings}
      <OpenProposal booking={booking} onChanged={refresh} />
      <section className={`note ${now.tone} ${styles.now}`} aria-label="Now" aria-live="polite">
        <p>
          <strong>{now.title}</strong> {now.text}
          {booking.viewer === "admin" && booking.money.dispute?.open_cents ? (
            <>
              {" "}
              <a href="#disputes">View the dispute</a>
            </>
          ) : null}
        </p>
        <BookingActions booking={booking} />
      </section>
      <div className={styles.columns}>
        <div>
          <section className={styles.section}>
            <h2>Money</h2>
            <Money booking={booking} onChanged={refresh} />
            <EndingActions booking={booking} />
            <MoneyRecords booking={booking} />
          </section>
          {booking.money.paid_cents > 0 ? <BookingDocuments id={booking.id} /> : null}
          {booking.viewer === "admin" ? <Disputes bookingId={booking.id} /> : null}
          {booking.status === "completed" || endedAsNoShow(booking) ? <BookingReviews booking={booking} /> : null}
          <Timeline booking={booking} />
        </div>
        <div>
          <Night booking={booking} />
          <People booking={booking} />
          <Contract booking={booking} onChanged={refresh} />
        </div>
      </div>
    </>
  );
}

function Deadlines({ booking }: Readonly<{ booking: BookingResponse }>) {
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

/** The money section shows amounts and payees. */
const amountsElsewhere: ReadonlySet<BookingResponse["timeline"][number]["kind"]> = new Set([
  "checkout_opened",
  "deposit_paid",
  "balance_paid",
  "paid_out",
]);

function Timeline({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { timeline, status } = booking;
  const ahead = stepsAhead(booking);
  const live = status !== "completed" && status !== "canceled";
  const last = timeline.findLastIndex(({ kind }) => kind !== "email");
  return (
    <section className={styles.section}>
      <h2>Timeline</h2>
      <p className="small quiet">
        Times are in your time zone ({formatTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}).
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
