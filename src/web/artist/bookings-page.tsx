/** /artist/bookings: the artist's own bookings, by event date, those ahead first. */
import { Link, useSearchParams } from "react-router";
import { SignContract } from "../contract/sign-contract.tsx";
import { EventCell, formatEvent, TwoLines } from "../dashboard/lists/booking-cells.tsx";
import { BookingGroups } from "../dashboard/lists/booking-groups.tsx";
import { BookingList, type Column } from "../dashboard/lists/booking-list.tsx";
import styles from "../dashboard/lists/list.module.css";
import { type ArtistBooking, useArtistBookings } from "../lib/api/booking-lists.ts";
import { describeTime } from "../lib/format/dates.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { PageTabs } from "../dashboard/lists/page-tabs.tsx";
import { paths } from "../paths.ts";
import { BookingsCalendar, monthOfAddress } from "./calendar/bookings-calendar.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { CreateBalanceLink } from "../dashboard/booking/balance-acts.tsx";
import { useReleaseDialog } from "../dashboard/booking/release-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Artist Dashboard" }];

const columns: Column<ArtistBooking>[] = [
  { title: "Event", cell: (booking) => <EventCell booking={booking} />, oneLine: true },
  {
    title: "Promoter and venue",
    cell: (booking) => <TwoLines first={booking.promoter_name} second={booking.venue_name} />,
  },
];

const views = [
  { value: "", label: "List" },
  { value: "month", label: "Calendar" },
] as const;

export default function ArtistBookingsPage() {
  const openRelease = useReleaseDialog();
  const [query] = useSearchParams();
  const view = query.get("view") === "month" ? "month" : "";
  const actionOf = (booking: ArtistBooking, primary: boolean) =>
    booking.can.release && booking.hold ? (
      <Hold hold={booking.hold} timeZone={booking.time_zone} onRelease={() => openRelease(booking)} />
    ) : booking.can.answer ? (
      <Link
        className={buttonClass({ size: "sm", ...(primary ? {} : { tone: "line" }) })}
        to={paths.artistArea.booking(booking.id)}
      >
        Answer
        <span className="sr"> the request of {booking.promoter_name}</span>
      </Link>
    ) : booking.can.sign ? (
      <SignContract booking={{ id: booking.id, viewer: "artist" }} size="sm" primary={primary} />
    ) : booking.can.decide_balance ? (
      <Link className={buttonClass({ size: "sm", tone: "line" })} to={paths.artistArea.booking(booking.id)}>
        Decide
        <span className="sr"> about the unpaid balance of {booking.promoter_name}</span>
      </Link>
    ) : booking.can.create_balance_link ? (
      <CreateBalanceLink booking={booking} size="sm" />
    ) : null;
  const head = (
    <>
      <div className={styles.head}>
        <h1>Bookings</h1>
      </div>
      <PageTabs label="View" name="view" chosen={view} tabs={views} />
    </>
  );
  if (view === "month")
    return (
      <>
        {head}
        <BookingsCalendar month={monthOfAddress(query.get("month"))} action={(booking) => actionOf(booking, false)} />
      </>
    );
  return (
    <>
      {head}
      <BookingGroups
        placeholder="Search promoter or venue"
        useBookings={useArtistBookings}
        none={{
          title: "No bookings yet",
          text: "Requests from promoters appear here as soon as they are sent.",
        }}
      >
        {(bookings, group, whole) => {
          const next = bookings.find(({ can }) => can.answer || can.sign);
          return (
            <BookingList
              caption={`${group} bookings, by event date`}
              bookings={bookings}
              whole={whole}
              pageOf={paths.artistArea.booking}
              columns={columns}
              card={(booking) => ({ title: formatEvent(booking), lines: [booking.promoter_name, booking.venue_name] })}
              action={(booking) => actionOf(booking, booking === next)}
            />
          );
        }}
      </BookingGroups>
    </>
  );
}

/** A date that somebody is paying for at this moment, and the button that frees it. */
function Hold({
  hold,
  timeZone,
  onRelease,
}: Readonly<{ hold: NonNullable<ArtistBooking["hold"]>; timeZone: string; onRelease(): void }>) {
  return (
    <span className={styles.hold}>
      <small>On hold until {describeTime(timeZone, new Date(hold.expires_at))}</small>
      <Button tone="bad" size="sm" onClick={onRelease}>
        Release
      </Button>
    </span>
  );
}
