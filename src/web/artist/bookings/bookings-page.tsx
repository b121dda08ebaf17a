import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { openBalanceLink } from "../../booking/actions/balance-actions.tsx";
import { useReleaseDialog } from "../../booking/actions/release-dialog.tsx";
import { useShownMonth } from "../../booking/calendar/bookings-month.tsx";
import { CalendarLoading } from "../../booking/calendar/calendar-loading.tsx";
import { useCalendarView, ViewSwitch } from "../../booking/calendar/view-switch.tsx";
import { BookingList } from "../../booking/list/booking-list.tsx";
import { OwnBookings } from "../../booking/list/own-bookings.tsx";
import { useShowsPendingActions } from "../../booking/list/pending-actions.tsx";
import { useNow } from "../../booking/use-now.ts";
import { CalendarFeeds } from "../../dashboard/calendar-feeds/calendar-feeds.tsx";
import { ImportConflicts } from "../../dashboard/calendar-feeds/import-conflicts.tsx";
import { DialogItem } from "../../dashboard/lists/list-cells.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { todayOf, useOwnProfile } from "../../lib/api/artist/own-profile.ts";
import { useArtistBookings } from "../../lib/api/booking-lists.ts";
import { isDay, localMoment } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { BookingsCalendar } from "../calendar/month/bookings-calendar.tsx";
import { WithNightPanel } from "../calendar/night/night-panel.tsx";
import { TravelWarnings } from "../calendar/travel-warnings.tsx";
import { weekOfAddress, WeekView } from "../calendar/week/week-view.tsx";
import { NoProfileSheet } from "../no-profile.tsx";
import { ArtistPendingActions } from "./artist-pending-actions.tsx";
import { BookingAction } from "./booking-action.tsx";

export const meta = () => [{ title: "Bookings: Artist Dashboard" }];

const views = ["", "month", "week"] as const;

/** Below an empty list: an artist without a profile cannot be booked. */
function ProfileFirst() {
  if (useOwnProfile().data?.slug !== null) return null;
  return (
    <>
      <p>You have no artist profile yet, so you cannot be booked.</p>
      <LinkButton to={paths.artistArea.profile}>Open My Profile</LinkButton>
    </>
  );
}

export default function ArtistBookingsPage() {
  const openRelease = useReleaseDialog();
  const showsPendingActions = useShowsPendingActions();
  const [query] = useSearchParams();
  const view = useCalendarView(views);
  const night = query.get("night") ?? "";
  const head = (
    <PageHead title="Bookings">
      <ViewSwitch views={views} chosen={view} />
    </PageHead>
  );
  if (view !== "")
    return (
      <>
        {head}
        <CalendarOfProfile>
          {(today) => (
            <>
              <ImportConflicts />
              <TravelWarnings />
              <WithNightPanel night={isDay(night) ? night : undefined}>
                {view === "week" ? <OwnWeek today={today} /> : <OwnMonth today={today} />}
              </WithNightPanel>
            </>
          )}
        </CalendarOfProfile>
      </>
    );
  return (
    <>
      {head}
      <OwnBookings
        placeholder="Promoter, venue or number"
        exported="artistBookings"
        useBookings={useArtistBookings}
        none={{
          title: "No bookings yet",
          text: "Requests from promoters appear here as soon as they are sent.",
          children: <ProfileFirst />,
        }}
        pending={showsPendingActions ? <ArtistPendingActions /> : null}
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
              first={showsPendingActions ? undefined : next}
              action={(booking, primary) => <BookingAction booking={booking} primary={primary} />}
              note={({ hold }) => (hold ? `On hold until ${localMoment(hold.expires_at).time}` : null)}
              menuItems={(booking) => (
                <>
                  {booking.can.release ? (
                    <DialogItem onClick={() => openRelease(booking)}>Release hold</DialogItem>
                  ) : null}
                  {booking.can.create_balance_link ? (
                    <DialogItem onClick={() => openBalanceLink(booking)}>Create Balance Link</DialogItem>
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

type CalendarProps = Readonly<{ today: string }>;

function OwnWeek({ today }: CalendarProps) {
  const [query] = useSearchParams();
  return (
    <WeekView monday={weekOfAddress(query.get("week"), today)} today={today}>
      <CalendarFeeds imports />
    </WeekView>
  );
}

function OwnMonth({ today }: CalendarProps) {
  const month = useShownMonth(useArtistBookings({ search: "", show: "upcoming", sort: undefined }), today);
  if (!month) return <CalendarLoading />;
  return (
    <BookingsCalendar
      month={month}
      today={today}
      action={(booking) => <BookingAction booking={booking} primary={false} />}
    >
      <CalendarFeeds imports />
    </BookingsCalendar>
  );
}

/** Shows the calendar only to an artist with a profile, because its requests fail without one. It may not read the profile itself: after a failure each mount would request it again. */
function CalendarOfProfile({ children }: Readonly<{ children(today: string): ReactNode }>) {
  const profile = useOwnProfile();
  useNow(minuteMs);
  if (profile.isPending) return <CalendarLoading />;
  if (profile.data?.slug !== null) return children(todayOf(profile.data));
  return <NoProfileSheet text="Your account has no artist profile yet, so you cannot be booked." />;
}
