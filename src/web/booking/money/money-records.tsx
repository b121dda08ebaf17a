/** Payments that failed or were refunded, a failed payout, and for an admin the ledger. The parts of the price omit them. */

import { displayedPaymentStatus } from "#payments/rules.ts";
import { formatMoney, formatMoneyExact } from "#platform/money.rules.ts";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { useRecordPayoutPaidOutside, useRetryPayout } from "../../lib/api/booking-page.ts";
import { attempt } from "../../lib/attempt.ts";
import { formatSignedMoney } from "../../lib/format/amounts.ts";
import { formatMomentAlone, formatRelativeMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import type { BookingResponse } from "../status/progress.ts";
import styles from "../booking.module.css";

type Props = Readonly<{ booking: BookingResponse }>;

export function MoneyRecords({ booking }: Props) {
  const { payments, movements } = booking.money;
  return (
    <>
      <Payout booking={booking} />
      {payments.some(isUnusual) ? <Attempts booking={booking} /> : null}
      {booking.viewer === "admin" && movements.length > 0 ? <Movements booking={booking} /> : null}
    </>
  );
}

const isUnusual = ({ status }: BookingResponse["money"]["payments"][number]) =>
  status !== "succeeded" && status !== "requires_payment_method";

const movementNames = {
  deposit: "Deposit",
  balance: "Balance",
  refund: "Refunded to the payer",
  refund_waiting: "Refund that waits for the end of a dispute",
  refund_undone: "Refund due again",
  refund_by_dispute: "Refund that the bank's withdrawal replaces",
  release: "Released after the show",
  dispute_withdrawn: "Withdrawn by the payer's bank in a dispute",
  dispute_reinstated: "Returned by the payer's bank",
  dispute_lost: "Lost dispute, borne by the artist and Stagedoor",
  dispute_regained: "Held until an admin decides",
} as const;

const describeFee = ({ canceled_by: by, money: { payout } }: BookingResponse): string =>
  `${by === "both" ? "Agreed end" : "Cancellation fee"}, owed to the artist${payout ? ` and paid out from ${formatRelativeMoment(payout.due_at)}` : ""}`;

function Movements({ booking }: Props) {
  const { money, currency, status } = booking;
  return (
    <details className={styles.more}>
      <summary>Show the ledger</summary>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="What is held, step by step">
        <table className={`num ${styles.ledger}`}>
          <caption className="sr">What came and went, and what we hold after it</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Amount</th>
              <th scope="col">Held after</th>
            </tr>
          </thead>
          <tbody>
            {money.movements.map(({ at, kind, amount_cents: cents, held_after_cents: held }, row) => (
              <tr key={row}>
                <td>{formatMomentAlone(at)}</td>
                <td>{kind === "release" && status === "canceled" ? describeFee(booking) : movementNames[kind]}</td>
                <td>
                  {cents < 0 ? "" : "+\u00a0"}
                  {formatSignedMoney(cents, currency)}
                </td>
                <td>{formatMoneyExact(held, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Attempts({ booking }: Props) {
  const { money, currency } = booking;
  return (
    <ul className={styles.attempts} aria-label="Payments">
      {money.payments.filter(isUnusual).map((payment) => (
        <li key={payment.id}>
          {payment.kind === "deposit" ? "Deposit" : "Balance"}, {formatMoney(payment.amount, currency)}
          <StatusBadge entity="payment" value={displayedPaymentStatus(payment)} />
        </li>
      ))}
    </ul>
  );
}

function Payout({ booking }: Props) {
  const { payout } = booking.money;
  const retry = useRetryPayout();
  if (!payout) return null;
  const { error, can_retry: canRetry, outside_cents: outside, owed_cents: owed, reversed_cents: reversed } = payout;
  if (!error && !canRetry && outside === 0 && owed === 0 && reversed === 0) return null;
  const again = () =>
    attempt(async () => {
      const { retried } = await retry.mutateAsync({ booking_id: booking.id });
      toast(
        retried > 0
          ? { title: "Sent again", text: "We sent it to the payment provider again." }
          : { title: "Nothing to send", text: "What the artist owed was deducted, or it was sent already." },
      );
    });
  return (
    <ul className={styles.attempts} aria-label="Payout">
      <li>
        <span>
          Payout
          {reversed > 0 ? (
            <small className={styles.payoutState}>
              {formatMoney(reversed, booking.currency)} reversed after a refund or a lost dispute
            </small>
          ) : null}
          {owed > 0 ? (
            <small className={styles.payoutState}>
              {formatMoney(owed, booking.currency)} must be paid back after a refund or a lost dispute, because it was
              paid outside the payment provider
            </small>
          ) : null}
          {error ? <small className={styles.payoutState}>{error}</small> : null}
        </span>
        <span className={styles.payoutEnd}>
          <StatusBadge entity="payout" value={payout.status} />
          {canRetry ? (
            <Button size="sm" tone="line" busyLabel="Sending..." onClick={again}>
              Send again
            </Button>
          ) : null}
          {outside === 0 ? null : <RecordOutside booking={booking} cents={outside} />}
        </span>
      </li>
    </ul>
  );
}

/** `cents`: below 0 if the artist paid it back. */
function RecordOutside({ booking, cents }: Props & Readonly<{ cents: number }>) {
  const record = useRecordPayoutPaidOutside();
  const sum = formatMoneyExact(Math.abs(cents), booking.currency);
  const isPaidBack = cents < 0;
  const label = isPaidBack ? "Paid back outside the provider" : "Paid outside the provider";
  const first = isPaidBack
    ? `Record it here once the artist has paid back ${sum}, for example by bank transfer. We notify the artist how it was paid.`
    : `Record it here first, then pay ${sum} to the artist at once, for example by bank transfer. What you record is not sent to the payment account. We notify the artist how it is paid.`;
  const open = () =>
    openTextDialog({
      title: label,
      text: `${first} You cannot undo this.`,
      name: "how",
      label: isPaidBack ? "How it was paid" : "How it is paid",
      confirm: "Record",
      send: (how) => record.mutateAsync({ booking_id: booking.id, how, expected_cents: cents }),
      done: {
        title: "Recorded",
        text: isPaidBack
          ? `${sum} of the payout is paid back.`
          : `Pay ${sum} to the artist now, unless it is paid already.`,
      },
    });
  return (
    <Button size="sm" tone="line" onClick={open}>
      {label}
    </Button>
  );
}
