import { formatMoneyExact } from "#platform/money.rules.ts";
import { attempt } from "../../lib/attempt.ts";
import { useRetryPayout } from "../../lib/api/booking-page.ts";
import type { BookingResponse } from "../progress.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { toast } from "../../ui/toaster.tsx";
import styles from "../booking.module.css";

export function Payout({ booking }: Readonly<{ booking: BookingResponse }>) {
  const { payout } = booking.money;
  const retry = useRetryPayout();
  if (!payout || !(payout.error || payout.can_retry || payout.reversed_cents > 0)) return null;
  const again = () =>
    attempt(async () => {
      await retry.mutateAsync({ booking_id: booking.id });
      toast({ title: "Sent again", text: "We sent it to the payment provider again." });
    });
  const sum = (cents: number) => formatMoneyExact(cents, booking.currency);
  return (
    <ul className={styles.attempts} aria-label="Payout">
      <li>
        <span>
          Payout
          {payout.reversed_cents > 0 ? (
            <small className={styles.payoutState}>{sum(payout.reversed_cents)} reversed after a refund</small>
          ) : null}
          {payout.error ? <small className={styles.payoutState}>{payout.error}</small> : null}
        </span>
        <span className={styles.payoutEnd}>
          <StatusBadge entity="payout" value={payout.status} />
          {payout.can_retry ? (
            <Button size="sm" tone="line" busy={retry.isPending} busyLabel="Sending..." onClick={() => void again()}>
              Send again
            </Button>
          ) : null}
        </span>
      </li>
    </ul>
  );
}
