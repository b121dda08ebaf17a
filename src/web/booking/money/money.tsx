/** The money of a booking, once: who has each part of the price and what moves it next, and what the price comes to. For guests too. */
import type { ShownBooking } from "../progress.ts";
import { AutomaticPayment } from "./automatic-payment.tsx";
import { MoneyParts } from "./money-parts.tsx";

type Props = Readonly<{ booking: ShownBooking; /** Called when the booking has changed. */ onChanged(): void }>;

export function Money({ booking, onChanged }: Props) {
  if (booking.fee_cents === 0) return <p className="quiet">The price is on request. Nothing is due.</p>;
  return (
    <>
      <MoneyParts booking={booking} />
      <AutomaticPayment booking={booking} onChanged={onChanged} />
    </>
  );
}
