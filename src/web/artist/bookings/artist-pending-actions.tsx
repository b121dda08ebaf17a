import { paths } from "#platform/site-paths.rules.ts";
import { PendingActions, type OtherAction } from "../../booking/list/pending-actions.tsx";
import { useArtistBookings } from "../../lib/api/booking-lists.ts";
import { useArtistOverview } from "../../lib/api/overviews.ts";
import { LinkButton } from "../../ui/button.tsx";
import { BookingAction } from "./booking-action.tsx";

const accountActions = {
  restricted: {
    title: "Your payment account is restricted",
    text: "We hold your earnings until the restriction ends.",
  },
  not_started: {
    title: "Set up your payment account",
    text: "We hold your earnings until an account is connected.",
  },
  pending: {
    title: "Complete your payment account",
    text: "We hold your earnings until the payment provider has what it needs.",
  },
  ended: {
    title: "Your payment account has ended",
    text: "We hold your earnings until you set up a new account.",
  },
};

const accountAction = (reason: keyof typeof accountActions): OtherAction => ({
  ...accountActions[reason],
  id: "payment-account",
  page: paths.artistArea.payouts,
  action: (
    <LinkButton size="sm" to={paths.artistArea.payouts}>
      View payouts
    </LinkButton>
  ),
});

export function ArtistPendingActions({ alone = false }: Readonly<{ alone?: boolean }>) {
  const { data, isPending } = useArtistOverview();
  return (
    <PendingActions
      viewer="artist"
      alone={alone}
      isLoading={isPending}
      others={data?.payment_account ? [accountAction(data.payment_account)] : []}
      useBookings={useArtistBookings}
      pageOf={paths.artistArea.booking}
      all={paths.artistArea.bookingsOf("needs_you")}
      nameOf={(booking) => booking.promoter_name}
      action={(booking, primary) => <BookingAction booking={booking} primary={primary} />}
    />
  );
}
