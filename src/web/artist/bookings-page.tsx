/** /artist/bookings: the artist's own bookings, those ahead first. */
import { Menu } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { SignContract } from "../contract/sign-contract.tsx";
import { EventCell, formatEvent, TwoLines } from "../dashboard/lists/booking-cells.tsx";
import { BookingList, type Column } from "../dashboard/lists/booking-list.tsx";
import { OwnBookings } from "../dashboard/lists/own-bookings.tsx";
import styles from "../dashboard/lists/list.module.css";
import { type ArtistBooking, useArtistBookings } from "../lib/api/booking-lists.ts";
import { describeTime } from "../lib/format/dates.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { useListAddress } from "../dashboard/lists/address.ts";
import pages from "../dashboard/lists/pages.module.css";
import { paths } from "../paths.ts";
import { BookingsCalendar, monthOfAddress } from "./calendar/bookings-calendar.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { CreateBalanceLink, openBalanceLink } from "../dashboard/booking/balance-acts.tsx";
import { useReleaseDialog } from "../dashboard/booking/release-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Artist Dashboard" }];

const columns: Column<ArtistBooking>[] = [
  { title: "Event", cell: (booking) => <EventCell booking={booking} />, oneLine: true, sort: "event" },
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
    <div className={styles.head}>
      <h1>Bookings</h1>
      <ViewSwitch chosen={view} />
    </div>
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
      <OwnBookings
        placeholder="Search promoter, venue or number"
        useBookings={useArtistBookings}
        none={{
          title: "No bookings yet",
          text: "Requests from promoters appear here as soon as they are sent.",
        }}
      >
        {({ bookings, ...list }) => {
          const next = bookings.find(({ can }) => can.answer || can.sign);
          return (
            <BookingList
              {...list}
              bookings={bookings}
              pageOf={paths.artistArea.booking}
              columns={columns}
              card={(booking) => ({ title: formatEvent(booking), lines: [booking.promoter_name, booking.venue_name] })}
              action={(booking) => actionOf(booking, booking === next)}
              menuItems={(booking) => (
                <>
                  {booking.can.release ? (
                    <Menu.Item onClick={() => openRelease(booking)}>Release the hold</Menu.Item>
                  ) : null}
                  {booking.can.create_balance_link ? (
                    <Menu.Item onClick={() => openBalanceLink(booking)}>Create Balance Link</Menu.Item>
                  ) : null}
                </>
              )}
            />
          );
        }}
      </OwnBookings>
    </>
  );
}

/** The list, or the same bookings as a calendar. */
function ViewSwitch({ chosen }: Readonly<{ chosen: string }>) {
  const address = useListAddress();
  return (
    <nav className={pages.switch} aria-label="View">
      {views.map(({ value, label }) => (
        <Link key={value} to={address({ view: value })} aria-current={value === chosen ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
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
