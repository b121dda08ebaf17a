import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { posterUrl } from "#artists/rules.ts";
import { bookingStatusLabel } from "#bookings/rules.ts";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { useBooking } from "../../lib/api/booking-page.ts";
import { announce } from "../../lib/browser/announce.ts";
import { currentTime } from "../../lib/clock.ts";
import { amountFormat } from "../../lib/format/amounts.ts";
import { formatWeekdayDate, formatShortDate } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { describeDeadline, openDeadlines } from "../status/deadline-text.ts";
import type { BookingResponse } from "../status/progress.ts";
import { statusMessageFor } from "../status/status-message.ts";
import lines from "../booking.module.css";
import money from "../money/money-parts.module.css";
import styles from "./booking-preview.module.css";

type Props = Readonly<{
  id: string;
  page: string;
  action: ReactNode;
  onClose(): void;
}>;

const openLayers = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

export default function BookingPreview({ id, page, action, onClose }: Props) {
  const panel = useRef<HTMLElement>(null);
  const query = useBooking(id);
  const booking = query.data;
  useEffect(() => panel.current?.focus({ preventScroll: true }), [id]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog or menu above the panel handles its own Escape.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(openLayers)) return;
      onClose();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  return (
    <aside ref={panel} className={styles.preview} tabIndex={-1} aria-label="The chosen booking" aria-busy={!booking}>
      <IconButton className={styles.close} label="Close" onClick={onClose}>
        <X size={20} strokeWidth={1.8} aria-hidden />
      </IconButton>
      <Loaded
        query={query}
        what="The booking"
        loading={
          <div aria-label="Loading" role="status">
            <Skeleton height="6.6rem" width="5rem" />
            <Skeleton height="3rem" mt="1.2rem" />
            <Skeleton height="9rem" mt="1.2rem" />
          </div>
        }
      >
        {(known) => <PreviewContent booking={known} />}
      </Loaded>
      <div className={styles.buttons}>
        {action}
        <LinkButton tone="line" size="sm" to={page}>
          View booking
        </LinkButton>
      </div>
      <p className={styles.keys} aria-hidden>
        <kbd>J</kbd> <kbd>K</kbd> next, previous <kbd>Esc</kbd> close
      </p>
    </aside>
  );
}

function PreviewContent({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { artist, viewer, promoter_name: promoter, venue_name: venue, guest_count: guests } = booking;
  const name = viewer === "artist" ? promoter : artist.name;
  const { id, event_date: date, status } = booking;
  // The panel keeps the focus when the keys J and K choose another booking.
  useEffect(
    () => announce(`${name}, ${formatWeekdayDate(date)}, ${bookingStatusLabel(status)}`),
    [id, name, date, status],
  );
  const now = statusMessageFor(booking);
  const time = currentTime();
  const [deadline] = openDeadlines(booking, time);
  return (
    <>
      <header className={styles.head}>
        <img src={posterUrl(artist)} width={600} height={800} alt="" />
        <div>
          <h2>{name}</h2>
          <p className="num quiet small">{booking.number}</p>
          <StatusBadge entity="booking" value={booking.status} />
        </div>
      </header>
      <section className={styles.now} aria-label="Now">
        <p>
          <strong>{now.title}</strong> {now.text}
        </p>
        {deadline ? <p className="num small quiet">{describeDeadline(deadline, time, booking)}</p> : null}
      </section>
      <dl className={`${lines.lines} ${styles.details}`}>
        <DetailRow label="Date">
          {formatWeekdayDate(booking.event_date)}, {booking.event_time}
        </DetailRow>
        {viewer === "admin" ? <DetailRow label="Promoter">{promoter}</DetailRow> : null}
        <DetailRow label="Venue">{venue}</DetailRow>
        <DetailRow label="Event">
          {booking.event_type}
          {guests === null ? "" : `, ${guests}\u00a0guests`}
        </DetailRow>
      </dl>
      <PaidBar booking={booking} />
    </>
  );
}

function PaidBar({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { currency, status, viewer } = booking;
  const { fee_cents: fee, kept_cents: paid, outstanding_cents: open, balance_due: due } = booking.money;
  if (fee === 0 || status === "canceled") return null;
  const format = amountFormat([paid, open]);
  return (
    <div className={styles.paid}>
      <div className={money.bar} aria-hidden>
        {paid > 0 ? <i data-part="held" style={{ flexGrow: paid }} /> : null}
        {open > 0 ? <i data-part="open" style={{ flexGrow: open }} /> : null}
      </div>
      <p className="num">
        <span>
          {format(paid, currency)} {viewer === "artist" ? "paid by the promoter" : "paid"}
        </span>
        {open > 0 ? (
          <span>
            {format(open, currency)} to pay{due ? ` by ${formatShortDate(due)}` : ""}
          </span>
        ) : null}
      </p>
    </div>
  );
}
