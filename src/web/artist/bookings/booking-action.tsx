import { paths } from "#platform/site-paths.rules.ts";
import { CreateBalanceLink } from "../../booking/actions/balance-actions.tsx";
import { SignContract } from "../../booking/contract/sign-contract.tsx";
import type { ArtistBooking } from "../../lib/api/booking-lists.ts";
import { LinkButton } from "../../ui/button.tsx";

type Props = Readonly<{
  booking: ArtistBooking;
  primary: boolean;
}>;

export function BookingAction({ booking, primary }: Props) {
  const { can, promoter_name: name } = booking;
  if (can.answer)
    return (
      <LinkButton size="sm" tone={primary ? "main" : "line"} to={paths.artistArea.booking(booking.id)}>
        Answer
        <span className="sr"> the request of {name}</span>
      </LinkButton>
    );
  if (can.sign) return <SignContract booking={{ id: booking.id, viewer: "artist" }} size="sm" primary={primary} />;
  if (can.decide_balance)
    return (
      <LinkButton size="sm" tone="line" to={paths.artistArea.booking(booking.id)}>
        Decide
        <span className="sr"> about the unpaid balance of {name}</span>
      </LinkButton>
    );
  return can.create_balance_link ? <CreateBalanceLink booking={booking} size="sm" /> : null;
}
