import { paths } from "#platform/site-paths.rules.ts";
import { NeedsYou, type OtherNeed } from "../booking/list/needs-you.tsx";
import { useArtistBookings } from "../lib/api/booking-lists.ts";
import { useArtistOverview } from "../lib/api/overviews.ts";
import { LinkButton } from "../ui/button.tsx";
import { BookingAction } from "./booking-action.tsx";

const restrictedAccount: OtherNeed = {
  id: "payment-account",
  title: "Your payment account is restricted",
  text: "We hold your earnings until the restriction ends.",
  page: paths.artistArea.payouts,
  action: (
    <LinkButton size="sm" to={paths.artistArea.payouts}>
      View payouts
    </LinkButton>
  ),
};

export function ArtistNeeds({ alone = false }: Readonly<{ alone?: boolean }>) {
  const { data, isPending } = useArtistOverview();
  return (
    <NeedsYou
      viewer="artist"
      alone={alone}
      isLoading={isPending}
      others={data?.account_restricted ? [restrictedAccount] : []}
      useBookings={useArtistBookings}
      pageOf={paths.artistArea.booking}
      all={paths.artistArea.bookingsOf("needs_me")}
      nameOf={(booking) => booking.promoter_name}
      action={(booking, primary) => <BookingAction booking={booking} primary={primary} />}
    />
  );
}
