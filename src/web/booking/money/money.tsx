import type { BookingResponse } from "../progress.ts";
import { AutomaticPayment } from "./automatic-payment.tsx";
import { MoneyParts } from "./money-parts.tsx";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export function Money({ booking, onChanged }: Props) {
  if (booking.fee_cents === 0) return <p className="quiet">The price is on request. Nothing is due.</p>;
  return (
    <>
      <MoneyParts booking={booking} />
      <AutomaticPayment booking={booking} onChanged={onChanged} />
    </>
  );
}
