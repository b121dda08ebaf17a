import styles from "./switch.module.css";

export type SwitchProps = Readonly<{
  label: string;
  name?: string;
  describedBy?: string;
  checked: boolean;
  disabled?: boolean;
  busy?: boolean;
  onChange(checked: boolean): void;
}>;

export const Switch = ({ label, describedBy, busy = false, onChange, ...input }: SwitchProps) => (
  <input
    {...input}
    className={styles.switch}
    type="checkbox"
    role="switch"
    id={input.name}
    aria-label={label}
    aria-describedby={describedBy}
    aria-checked={input.checked}
    aria-disabled={busy || undefined}
    onChange={({ target }) => {
      if (!busy) onChange(target.checked);
    }}
  />
);
