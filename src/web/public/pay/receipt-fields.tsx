import { TextField } from "../../ui/fields/field.tsx";
import styles from "../booking/booking.module.css";

/** Optional: name and address for the receipt. Without them it goes to the promoter. */
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
