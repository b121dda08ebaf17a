import { attempt } from "../../lib/attempt.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import type { BookingResponse } from "../progress.ts";
import { MoneyParts } from "./money-parts.tsx";
import styles from "./money-parts.module.css";

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

function AutomaticPayment({ booking, onChanged }: Props) {
  const { automatic_payment: payment } = booking;
  if (!payment?.can_withdraw) return null;
  const withdraw = async () => {
    await attempt(async () => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.balance.withdraw({ id: booking.id });
      toast({
        title: "The automatic payment is withdrawn",
        text: "The card is deleted. We request the balance by email.",
      });
    });
    onChanged();
  };
  return (
    <section aria-label="Automatic payment" className={`note blue ${styles.plan}`}>
      <p>
        {payment.card} is valid until {payment.card_ends}. To use another card, pay the balance yourself once both have
        signed.
      </p>
      <p>
        <Button tone="line" size="sm" busyLabel="Withdrawing..." onClick={withdraw}>
          Withdraw the automatic payment
        </Button>
      </p>
    </section>
  );
}
