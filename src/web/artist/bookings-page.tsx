import { Menu } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { BookingList } from "../booking/list/booking-list.tsx";
import { useShowsNeeds } from "../booking/list/needs-you.tsx";
import { OwnBookings } from "../booking/list/own-bookings.tsx";
import { CalendarFeeds } from "../dashboard/calendar-feeds/calendar-feeds.tsx";
import { ImportConflicts } from "../dashboard/calendar-feeds/import-conflicts.tsx";
import styles from "../dashboard/lists/list.module.css";
import { useArtistBookings } from "../lib/api/booking-lists.ts";
import { isDay, localMoment } from "../lib/format/dates.ts";
import { useListAddress } from "../dashboard/lists/address.ts";
import pages from "../dashboard/lists/pages.module.css";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingsCalendar, monthOfAddress } from "./calendar/month/bookings-calendar.tsx";
import { TravelWarnings } from "./calendar/travel-warnings.tsx";
import { weekOfAddress, WeekView } from "./calendar/week/week-view.tsx";
import { WithNightPanel } from "./calendar/night/night-panel.tsx";
import { ArtistNeeds } from "./artist-needs.tsx";
import { BookingAction } from "./booking-action.tsx";
import type { Route } from "./+types/bookings-page.ts";
import { openBalanceLink } from "../booking/actions/balance-actions.tsx";
import { useReleaseDialog } from "../booking/actions/release-dialog.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Bookings: Artist Dashboard" }];

const views = [
  { value: "", label: "List" },
  { value: "month", label: "Month" },
  { value: "week", label: "Week" },
] as const;

export default function ArtistBookingsPage() {
  const openRelease = useReleaseDialog();
  const showsNeeds = useShowsNeeds();
  const [query] = useSearchParams();
  const view = views.find(({ value }) => value === query.get("view"))?.value ?? "";
  const night = query.get("night") ?? "";
  const head = (
    <div className={styles.head}>
      <h1>Bookings</h1>
      <ViewSwitch chosen={view} />
    </div>
  );
  if (view !== "")
    return (
      <>
        {head}
        <ImportConflicts />
        <TravelWarnings />
        <WithNightPanel night={isDay(night) ? night : undefined}>
          {view === "week" ? (
            <WeekView monday={weekOfAddress(query.get("week"))}>
              <CalendarFeeds imports />
            </WeekView>
          ) : (
            <BookingsCalendar
              month={monthOfAddress(query.get("month"))}
              action={(booking) => <BookingAction booking={booking} primary={false} />}
            >
              <CalendarFeeds imports />
            </BookingsCalendar>
          )}
        </WithNightPanel>
      </>
    );
  return (
    <>
      {head}
      {showsNeeds ? <ArtistNeeds /> : null}
      <OwnBookings
        placeholder="Search promoter, venue or number"
        exported="artistBookings"
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
              viewer="artist"
              exported="artistBookings"
              first={showsNeeds ? undefined : next}
              action={(booking, primary) => <BookingAction booking={booking} primary={primary} />}
              note={({ hold }) => (hold ? `On hold until ${localMoment(hold.expires_at).time}` : null)}
              menuItems={(booking) => (
                <>
                  {booking.can.release ? (
                    <Menu.Item onClick={() => openRelease(booking)}>Release hold</Menu.Item>
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

function ViewSwitch({ chosen }: Readonly<{ chosen: string }>) {
  const address = useListAddress();
  const [query] = useSearchParams();
  const month = query.get("month") ?? query.get("week")?.slice(0, 7) ?? "";
  const week = query.get("week") ?? (month && `${month}-01`);
  // The displayed time remains when the view switches between month and week.
  const timeOf = { "": {}, month: { month, week: "" }, week: { month: "", week } };
  return (
    <nav className={pages.switch} aria-label="View">
      {views.map(({ value, label }) => (
        <Link
          key={value}
          to={address({ view: value, ...timeOf[value] })}
          aria-current={value === chosen ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
