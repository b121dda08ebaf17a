import styles from "./switch.module.css";

export type SwitchProps = Readonly<{
  label: string;
  name?: string;
  describedBy?: string;
  checked: boolean;
  disabled?: boolean;
  /** Keeps the focus while a change is applied. */
  busy?: boolean;
  onChange(checked: boolean): void;
}>;

export const Switch = ({
  label,
  name,
  describedBy,
  checked,
  disabled = false,
  busy = false,
  onChange,
}: SwitchProps) => (
  <input
    className={styles.switch}
    type="checkbox"
    role="switch"
    id={name}
    name={name}
    aria-label={label}
    aria-describedby={describedBy}
    checked={checked}
    aria-checked={checked}
    disabled={disabled}
    aria-disabled={busy || undefined}
    onChange={({ target }) => {
      if (!busy) onChange(target.checked);
    }}
  />
);
