import { Modal } from "@mantine/core";
import { accountLabels, postingLabels } from "#ledger/labels.rules.ts";
import { displayedPaymentStatus, paymentLabel } from "#payments/rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { DocumentList } from "../../booking/documents/document-list.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { type PaymentDetails, usePayment } from "../../lib/api/admin/lists.ts";
import { formatWeekdayDate, formatMoment } from "../../lib/format/dates.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import styles from "./payments.module.css";

export function PaymentDialog({ id, onClose }: Readonly<{ id: string | null; onClose(): void }>) {
  const query = usePayment(id);
  return (
    <Modal opened={id !== null} onClose={onClose} title="Receipt and details" size="40rem">
      <Loaded query={query} what="This payment" loading={<Spinner />}>
        {(payment) => <Details payment={payment} />}
      </Loaded>
    </Modal>
  );
}

/** The sandbox provider has a page for the payment that simulates the payer's bank. */
function PaymentIntent({ payment: { provider, provider_payment: ref } }: Readonly<{ payment: PaymentDetails }>) {
  return provider === "sandbox" && ref ? <a href={paths.sandboxPayment(ref)}>{ref}</a> : ref;
}

function Details({ payment }: Readonly<{ payment: PaymentDetails }>) {
  const { booking, artist, currency } = payment;
  const details: [string, string | null][] = [
    ["Booking", `${booking.number}, ${artist.name}`],
    ["Promoter", booking.promoter_name],
    ["Event date", formatWeekdayDate(booking.event_date)],
    ["Paid for", payment.kind === "deposit" ? "Deposit" : "Balance"],
    ["Amount", formatMoneyExact(payment.amount, currency)],
    ["Refunded", payment.refunded_cents > 0 ? formatMoneyExact(payment.refunded_cents, currency) : null],
    ["Being refunded", payment.refunding_cents > 0 ? formatMoneyExact(payment.refunding_cents, currency) : null],
    ["Lost in a dispute", payment.disputed_cents > 0 ? formatMoneyExact(payment.disputed_cents, currency) : null],
    ["Status", paymentLabel(displayedPaymentStatus(payment))],
    ["Paid", payment.payment_date && formatMoment(payment.payment_date, { year: true })],
    ["Provider", payment.provider],
    ["Provider reference", payment.provider_ref],
    ["Payment intent", payment.provider_payment],
    ["Charge", payment.provider_charge],
    ["Last error", payment.last_error],
  ];
  return (
    <>
      <dl className={styles.details}>
        {details.map(([name, value]) =>
          value ? (
            <DetailRow key={name} label={name}>
              {value === payment.provider_payment ? <PaymentIntent payment={payment} /> : value}
            </DetailRow>
          ) : null,
        )}
      </dl>
      <h3 className={styles.part}>Documents</h3>
      {payment.payment_date === null ? (
        <p className="small quiet">Nothing was paid.</p>
      ) : (
        <DocumentList documents={payment.documents} />
      )}
      <h3 className={styles.part}>Refunds</h3>
      {payment.refunds.length === 0 ? <p className="small quiet">Nothing was refunded.</p> : null}
      <ul className={styles.lines}>
        {payment.refunds.map((refund) => (
          <li key={refund.id}>
            <span>
              {refund.reason}
              <small>
                {formatMoment(refund.created_at, { year: true })}, {refund.status}
                {refund.provider_ref ? `, ${refund.provider_ref}` : ""}
              </small>
            </span>
            <span className={styles.money}>{formatMoneyExact(refund.amount, currency)}</span>
          </li>
        ))}
      </ul>
      <h3 className={styles.part}>Ledger</h3>
      {payment.postings.length === 0 ? <p className="small quiet">Nothing has been posted.</p> : null}
      <ul className={styles.lines}>
        {payment.postings.map((posting) => (
          <li key={posting.id} className={styles.posting}>
            <span>
              {postingLabel(posting.kind)}
              <small>{formatMoment(posting.posted_at, { year: true })}</small>
            </span>
            <dl>
              {posting.entries.map((entry, at) => (
                <div key={at}>
                  <dt>{accountLabel(entry.account)}</dt>
                  <dd className={styles.money}>{formatMoneyExact(entry.amount, entry.currency)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}

const postingLabel = (kind: string): string => postingLabels[kind] ?? kind;

const accountLabel = (account: string): string => accountLabels[account.split(":")[0] ?? ""] ?? account;
