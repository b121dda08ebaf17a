import { documentNames } from "#invoicing/rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { formatSignedMoney, amountFormat } from "../../lib/format/amounts.ts";
import { formatWeekdayDate, platformDay } from "../../lib/format/dates.ts";
import { openFile } from "../../lib/open-file.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./documents.module.css";

export type BookingDocument = Awaited<ReturnType<typeof browserApi.documents.ofBooking>>["items"][number];

const nameOf = ({ kind, payment_kind: paid }: BookingDocument): string =>
  paid && (kind === "receipt" || kind === "credit_note") ? `${documentNames[kind]}, ${paid}` : documentNames[kind];

const noneYet = "No receipts or invoices yet. A receipt is issued a moment after a payment has arrived.";

/** The day is that of the payment in the viewer's time zone, as in the other sections. The document has its own date. */
export function DocumentList({ documents }: Readonly<{ documents: readonly BookingDocument[] }>) {
  if (documents.length === 0) return <p className="small quiet">{noneYet}</p>;
  const format = amountFormat(documents.flatMap(({ gross, tax }) => [gross, tax]));
  return (
    <ul className={styles.list}>
      {documents.map((document) => (
        <li key={document.id}>
          <span>
            {nameOf(document)}
            <small className="num">
              {document.number},{" "}
              <span className={styles.day}>{formatWeekdayDate(platformDay(document.occurred_at))}</span>
              {document.tax === 0
                ? ""
                : `, ${formatSignedMoney(document.tax, document.currency, format)} ${document.tax_label} included`}
            </small>
          </span>
          <span className={`num ${styles.amount}`}>{formatSignedMoney(document.gross, document.currency, format)}</span>
          <Button
            tone="line"
            size="sm"
            busyLabel="Opening..."
            onClick={() => openFile((api) => api.documents.link({ id: document.id }))}
          >
            Open{" "}
            <span className="sr">
              {documentNames[document.kind]} {document.number} (opens in a new tab)
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
