import "../ui/print.css";
import type { ReactNode } from "react";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { useBooking, useRefreshBookings } from "../lib/api/booking-page.ts";
import { useTitle } from "../lib/browser/use-title.ts";
import { formatDay, formatDayAndMonth } from "../lib/format/dates.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { BookingActions } from "./actions/booking-actions.tsx";
import { AddToCalendar } from "./add-to-calendar.tsx";
import { BookingDocuments } from "./booking-documents.tsx";
import { BookingReviews } from "./booking-reviews.tsx";
import { BookingSections, Deadlines, NowBanner } from "./booking-sections.tsx";
import { Disputes } from "./disputes/disputes.tsx";
import { OpenProposal } from "./force-majeure/open-proposal.tsx";
import { MoneyRecords } from "./money/money-records.tsx";
import { bookingSkeleton, RecordPage } from "./record-page.tsx";
import { type BookingResponse, isShowOver } from "./status/progress.ts";
import { usePaymentFailure } from "./use-payment-failure.ts";
import styles from "./booking.module.css";

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
      skeleton={bookingSkeleton}
    >
      {(booking) => <Known key={booking.id} booking={booking} warnings={warnings} />}
    </RecordPage>
  );
}

function Known({ booking, warnings }: Readonly<{ booking: BookingResponse }> & Pick<Props, "warnings">) {
  const refresh = useRefreshBookings();
  // The reason, such as a cancellation, may not have arrived here.
  usePaymentFailure((failedId) => {
    if (failedId === booking.id) refresh();
  });
  useTitle(`${booking.artist.name}, ${formatDayAndMonth(booking.event_date, { short: true })} · ${booking.number}`);
  const isDisputed = booking.viewer === "admin" && booking.money.dispute?.open_cents;
  const other = booking.viewer === "artist" ? booking.promoter_name : booking.artist.name;
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>
            {other}, {formatDayAndMonth(booking.event_date)}
          </h1>
          {isShowOver(booking) ? null : (
            <AddToCalendar id={booking.id} size="sm" canceled={booking.status === "canceled"} />
          )}
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
      <NowBanner booking={booking} link={isDisputed ? <a href="#disputes">View the dispute</a> : null}>
        <BookingActions booking={booking} onChanged={refresh} />
      </NowBanner>
      <BookingSections
        booking={booking}
        onChanged={refresh}
        records={<MoneyRecords booking={booking} />}
        documents={<BookingDocuments id={booking.id} />}
        disputes={booking.viewer === "admin" ? <Disputes bookingId={booking.id} /> : null}
        reviews={<BookingReviews booking={booking} />}
      />
    </>
  );
}
