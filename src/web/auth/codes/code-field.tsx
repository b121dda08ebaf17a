/** A single input supports paste, autofill and screen readers. */

import { controlProps, FieldLayout } from "../../ui/fields/field.tsx";
import styles from "../auth.module.css";

export const codeFigures = 6;

export const shortCodeMessage = `Enter all ${codeFigures} digits of the code.`;

type Props = Readonly<{
  id: string;
  label: string;
  value: string;
  hint?: string;
  error?: string | undefined;
  autoFocus?: boolean;
  onChange(code: string): void;
}>;

export function CodeField({ id, label, value, hint, error, autoFocus = false, onChange }: Props) {
  const field = { name: id, hint, error };
  return (
    <FieldLayout label={label} {...field}>
      <input
        {...controlProps(field)}
        className={styles.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d{6}"
        title="Six figures"
        required
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, codeFigures))}
      />
    </FieldLayout>
  );
}
