import { Link } from "react-router";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { openTextDialog } from "../../dashboard/forms/text-dialog.tsx";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import { attempt } from "../../lib/attempt.ts";
import { formatWeekdayDate, localMoment } from "../../lib/format/dates.ts";
import { Button } from "../../ui/button.tsx";
import {
  type RefusedRefund,
  useRefusedRefunds,
  useRetryRefund,
  useRecordRefundPaidOutside,
} from "./use-refused-refunds.ts";
import pages from "../../dashboard/lists/pages.module.css";
import styles from "./unreconciled.module.css";

const sumOf = ({ amount, currency }: RefusedRefund) => formatMoneyExact(amount, currency);

/** Shows a failed request, because an empty section would mean that every refund arrived. */
export function RefusedRefunds({ isFailureShown = true }: Readonly<{ isFailureShown?: boolean }>) {
  const query = useRefusedRefunds();
  const retry = useRetryRefund();
  const record = useRecordRefundPaidOutside();
  if (query.error && !query.isFetching)
    return isFailureShown ? <SectionFailed className={pages.above} what="Failed refunds" query={query} /> : null;
  if (!query.data || query.data.items.length === 0) return null;
  const again = (id: string) =>
    attempt(() => retry.mutateAsync({ id }), {
      title: "Sent again",
      text: "We sent it to the payment provider again.",
    });
  const openOutside = (refund: RefusedRefund) =>
    openTextDialog({
      title: "Paid outside the provider",
      text: `Record it here first, then pay ${sumOf(refund)} at once, for example by bank transfer. What you record is not sent by the payment provider. ${refund.booking_id ? "We notify the promoter how it is paid" : "It is removed from this list"}. You cannot undo this.`,
      name: "how",
      label: "How it is paid",
      confirm: "Record",
      send: (how) => record.mutateAsync({ id: refund.id, how }),
      done: { title: "Recorded", text: `Pay the refund of ${sumOf(refund)} now, unless it is paid already.` },
    });
  return (
    <section className={`note cherry ${styles.section}`} aria-label="Failed refunds">
      <h2>Failed refunds</h2>
      <p>
        The payment provider refused these refunds or no longer has them, a bank returned them, or an appeal made them
        due again. The payers are still owed the money, unless the provider has sent it.
      </p>
      <ul>
        {query.data.items.map((refund) => (
          <li key={refund.id}>
            <span>
              <strong className="num">{sumOf(refund)}</strong> to {payerOf(refund)},{" "}
              {refund.can_retry ? "failed" : "returned by the bank"}{" "}
              {formatWeekdayDate(localMoment(refund.refused_at).day)} (<code>{refund.provider_payment}</code>)
              <span className={styles.purpose}>
                {refund.booking_id ? (
                  <Link to={paths.admin.booking(refund.booking_id)}>{refund.booking_number}</Link>
                ) : (
                  "A payment that belongs to no booking"
                )}
                {refund.error ? `: ${refund.error}` : null}
              </span>
              {refund.can_settle ? null : (
                <span className={styles.purpose}>
                  The provider may have made it. Send it again: we query the provider first.
                </span>
              )}
            </span>
            <span className={styles.actions}>
              {refund.can_retry ? (
                <Button size="sm" tone="line" busyLabel="Sending..." onClick={() => again(refund.id)}>
                  Send again
                </Button>
              ) : null}
              {refund.can_settle ? (
                <Button size="sm" tone="line" onClick={() => openOutside(refund)}>
                  Paid outside the provider
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const payerOf = ({ payer_name: name, payer_email: email }: RefusedRefund) =>
  name && email ? `${name} (${email})` : (name ?? email ?? "the payer");
