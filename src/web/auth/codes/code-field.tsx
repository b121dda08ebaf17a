/** One input for a six-digit code, drawn as six cells. A single input supports paste, autofill and screen readers. */
import type { ReactNode } from "react";
import styles from "../auth.module.css";

export const codeFigures = 6;

export const shortCodeMessage = `Enter all ${codeFigures} digits of the code.`;

type Props = Readonly<{
  id: string;
  label: ReactNode;
  value: string;
  hint?: ReactNode;
  error?: string | undefined;
  autoFocus?: boolean;
  onChange(code: string): void;
}>;

export function CodeField({ id, label, value, hint, error, autoFocus = false, onChange }: Props) {
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className={styles.code}
        id={id}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d{6}"
        title="Six figures"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        required
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, codeFigures))}
      />
      {error ? (
        <small id={`${id}-error`} className="error">
          {error}
        </small>
      ) : null}
      {hint ? <small id={`${id}-hint`}>{hint}</small> : null}
    </div>
  );
}
