import { Skeleton } from "@mantine/core";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { useBooking } from "../../lib/api/booking-page.ts";
import type { ShownBooking } from "../progress.ts";
import { formatDayAndMonth } from "../../lib/format/dates.ts";
import { currentTime } from "../../lib/clock.ts";
import { buttonClass } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { BookingActions } from "../actions/booking-actions.tsx";
import { Night } from "../details/details.tsx";
import { describeDeadline, statusMessageFor } from "../status-message.ts";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import styles from "./peek.module.css";

type Props = Readonly<{ id: string; /** The address of the booking's page. */ page: string; onClose(): void }>;

const openLayers = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

/** Takes the focus when it opens and when it shows another booking; Escape closes it. */
export default function BookingPeek({ id, page, onClose }: Props) {
  const panel = useRef<HTMLElement>(null);
  const query = useBooking(id);
  const booking = query.data;
  useEffect(() => panel.current?.focus(), [id]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog or menu above the panel takes its own Escape.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(openLayers)) return;
      onClose();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  return (
    <aside ref={panel} className={styles.peek} tabIndex={-1} aria-label="The chosen booking" aria-busy={!booking}>
      <button className={styles.close} type="button" aria-label="Close" onClick={onClose}>
        <X size={20} strokeWidth={1.8} aria-hidden />
      </button>
      {booking ? (
        <Peeked booking={booking} />
      ) : query.error && !query.isFetching ? (
        <SectionFailed what="The booking" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div aria-label="Loading" role="status">
          <Skeleton height="1.6rem" width="70%" />
          <Skeleton height="0.9rem" width="45%" mt="0.8rem" />
          <Skeleton height="6rem" mt="1.4rem" />
          <Skeleton height="14rem" mt="1.2rem" />
        </div>
      )}
      <Link className={buttonClass({ tone: "line", size: "sm" })} to={page}>
        Open the booking
      </Link>
    </aside>
  );
}

function Peeked({ booking }: Readonly<{ booking: ShownBooking }>) {
  const now = statusMessageFor(booking);
  const other = booking.viewer === "artist" ? booking.promoter_name : booking.artist.name;
  const [deadline] = booking.deadlines;
  return (
    <>
      <div className={styles.head}>
        <h2>
          {other}, {formatDayAndMonth(booking.event_date)}
        </h2>
        <p className={styles.facts}>
          <StatusBadge entity="booking" value={booking.status} />
          <span className="num quiet small">{booking.number}</span>
        </p>
      </div>
      <section className={`note ${now.tone} ${styles.now}`} aria-label="Now">
        <p>
          <strong>{now.title}</strong> {now.text}
        </p>
        {deadline ? <p className="num small">{describeDeadline(deadline, currentTime())}</p> : null}
        <BookingActions booking={booking} />
      </section>
      <Night booking={booking} />
    </>
  );
}
