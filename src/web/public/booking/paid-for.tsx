import { formatMoney } from "#platform/money.rules.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { ApiClient } from "../../lib/api/api-context.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { TextField } from "../../ui/field.tsx";
import shared from "../programme.module.css";
import styles from "./booking.module.css";
import { StubLine } from "./steps.tsx";

type PaidFor = Pick<
  Awaited<ReturnType<ApiClient["bookings"]["payLink"]>>,
  "number" | "promoter_name" | "artist" | "event_date" | "event_time" | "venue_name" | "amount_cents" | "currency"
>;

const labels = { deposit: "Deposit", balance: "Balance" } as const;

/** The booking in lines: who plays when and where, and the amount. `paid`: the payment has been made. */
export function Summary({
  kind,
  paidFor,
  paid = false,
}: Readonly<{ kind: PaymentKind; paidFor: PaidFor; paid?: boolean }>) {
  return (
    <dl className={`${shared.lines} ${styles.paidFor}`}>
      <StubLine word="Artist">{paidFor.artist.name}</StubLine>
      <StubLine word="Event">
        {formatDay(paidFor.event_date, { short: true, year: true })}, {paidFor.event_time.slice(0, 5)}
      </StubLine>
      {paidFor.venue_name ? <StubLine word="Venue">{paidFor.venue_name}</StubLine> : null}
      {paidFor.promoter_name ? <StubLine word="Booked by">{paidFor.promoter_name}</StubLine> : null}
      <StubLine word={paid ? `${labels[kind]} paid` : labels[kind]}>
        <strong className="num">{formatMoney(paidFor.amount_cents, paidFor.currency)}</strong>
      </StubLine>
      <StubLine word="Booking">
        <span className="num">{paidFor.number}</span>
      </StubLine>
    </dl>
  );
}

const receiptFields = ["payer_name", "payer_email", "company", "tax_id"] as const;

export const receiptOf = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    receiptFields.flatMap((name) => {
      const value = form.get(name);
      return typeof value === "string" && value.trim() !== "" ? [[name, value]] : [];
    }),
  );

/** Optional: the name and the address that the receipt gets. Without them the receipt goes to the promoter. */
export function ReceiptFields({ wrong }: Readonly<{ wrong: Readonly<Record<string, string>> }>) {
  return (
    <details className={styles.receipt} open={Object.keys(wrong).length > 0 || undefined}>
      <summary>Paying for someone else? Get the receipt in your name</summary>
      <div className={styles.receiptFields}>
        <TextField
          label="Your name"
          name="payer_name"
          autoComplete="name"
          maxLength={120}
          error={wrong["payer_name"]}
        />
        <TextField
          label="Your email"
          name="payer_email"
          type="email"
          autoComplete="email"
          maxLength={254}
          error={wrong["payer_email"]}
          hint="We send the receipt there. The promoter and the artist do not see it."
        />
        <TextField
          label="Company (optional)"
          name="company"
          autoComplete="organization"
          maxLength={160}
          error={wrong["company"]}
        />
        <TextField label="Tax ID (optional)" name="tax_id" maxLength={40} error={wrong["tax_id"]} />
      </div>
    </details>
  );
}
