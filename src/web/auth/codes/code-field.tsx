/** One input for a six-figure code, with drawn cells. */
import type { ReactNode } from "react";
import styles from "../auth.module.css";

/** How many figures a code of the house has. */
export const codeFigures = 6;

type Props = Readonly<{
  id: string;
  label: ReactNode;
  value: string;
  hint?: ReactNode;
  autoFocus?: boolean;
  onChange(code: string): void;
}>;

/** Takes figures only; what else is typed or pasted with them is left out. */
export function CodeField({ id, label, value, hint, autoFocus = false, onChange }: Props) {
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
        aria-describedby={hint ? `${id}-hint` : undefined}
        required
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, codeFigures))}
      />
      {hint ? <small id={`${id}-hint`}>{hint}</small> : null}
    </div>
  );
}
