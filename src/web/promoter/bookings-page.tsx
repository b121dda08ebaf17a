import { paths } from "#platform/site-paths.rules.ts";
import { PayButton } from "../booking/actions/pay-button.tsx";
import { useShownMonth } from "../booking/calendar/bookings-month.tsx";
import { CalendarLoading } from "../booking/calendar/calendar-loading.tsx";
import { useCalendarView, ViewSwitch } from "../booking/calendar/view-switch.tsx";
import { SignContract } from "../booking/contract/sign-contract.tsx";
import { BookingList } from "../booking/list/booking-list.tsx";
import { OwnBookings } from "../booking/list/own-bookings.tsx";
import { PendingActions, useShowsPendingActions } from "../booking/list/pending-actions.tsx";
import { usePaymentFailure } from "../booking/use-payment-failure.ts";
import { PageHead } from "../dashboard/page-head.tsx";
import { type PromoterBooking, usePromoterBookings } from "../lib/api/booking-lists.ts";
import { useRefreshBookings } from "../lib/api/booking-page.ts";
import { localToday } from "../lib/format/dates.ts";
import { toast } from "../lib/toasts.ts";
import { LinkButton } from "../ui/button.tsx";
import { BookingsCalendar } from "./bookings-calendar.tsx";
import { isHoldRow, usePromoterPendingActions } from "./use-promoter-pending-actions.ts";

export const meta = () => [{ title: "Bookings: Promoter Dashboard" }];

const views = ["", "month"] as const;

export default function PromoterBookingsPage() {
  const refresh = useRefreshBookings();
  usePaymentFailure(() => {
    toast({ tone: "error", title: "Payment Error", text: "Failed to process payment. Please try again." });
    refresh();
  });
  const showsPendingActions = useShowsPendingActions();
  const view = useCalendarView(views);
  const head = (
    <PageHead title="Bookings">
      <ViewSwitch views={views} chosen={view} />
      {showsPendingActions && view !== "month" ? <p>Deadlines are in your time zone.</p> : null}
    </PageHead>
  );
  if (view === "month")
    return (
      <>
        {head}
        <OwnMonth />
      </>
    );
  return (
    <>
      {head}
      <OwnBookings
        placeholder="Artist, venue or number"
        exported="promoterBookings"
        useBookings={usePromoterBookings}
        none={{
          title: "No bookings yet",
          text: "Find an artist and request a date. Your requests appear here.",
          children: <LinkButton to={paths.browse()}>Browse Artists</LinkButton>,
        }}
        pending={
          showsPendingActions ? (
            <PendingActions
              viewer="promoter"
              useBookings={usePromoterPendingActions}
              pageOf={(id) => (isHoldRow(id) ? paths.promoterArea.holds : paths.promoterArea.booking(id))}
              all={paths.promoterArea.bookingsOf("needs_you")}
              nameOf={({ artist }) => artist.name}
              pictureOf={({ artist }) => artist}
              action={({ booking }, primary) =>
                booking ? <Action booking={booking} primary={primary} hasAmount /> : <PayHeldNight primary={primary} />
              }
            />
          ) : null
        }
      >
        {({ bookings, ...list }) => {
          const next = bookings.find(({ can }) => can.confirm_request || can.pay || can.sign);
          return (
            <BookingList
              {...list}
              bookings={bookings}
              pageOf={paths.promoterArea.booking}
              viewer="promoter"
              exported="promoterBookings"
              first={showsPendingActions ? undefined : next}
              action={(booking, primary) => <Action booking={booking} primary={primary} />}
            />
          );
        }}
      </OwnBookings>
    </>
  );
}

function OwnMonth() {
  const month = useShownMonth(usePromoterBookings({ search: "", show: "upcoming", sort: undefined }), localToday());
  if (!month) return <CalendarLoading />;
  return <BookingsCalendar month={month} action={(booking) => <Action booking={booking} primary={false} />} />;
}

const PayHeldNight = ({ primary }: Readonly<{ primary: boolean }>) => (
  <LinkButton size="sm" tone={primary ? "main" : "line"} to={paths.promoterArea.holds}>
    View hold
  </LinkButton>
);

type ActionProps = Readonly<{ booking: PromoterBooking; primary: boolean; hasAmount?: boolean }>;

function Action({ booking, primary, hasAmount = false }: ActionProps) {
  if (booking.can.confirm_request)
    return (
      <LinkButton size="sm" tone={primary ? "main" : "line"} to={paths.promoterArea.booking(booking.id)}>
        Was this you?
      </LinkButton>
    );
  if (booking.can.pay) return <PayButton booking={booking} primary={primary} size="sm" hasAmount={hasAmount} />;
  return booking.can.sign ? (
    <SignContract booking={{ id: booking.id, viewer: "promoter" }} size="sm" primary={primary} />
  ) : null;
}
