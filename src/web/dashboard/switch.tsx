/** A switch that applies its change immediately. */
import styles from "./switch.module.css";

type Props = Readonly<{
  label: string;
  checked: boolean;
  busy?: boolean;
  onChange(checked: boolean): void;
}>;

export function Switch({ label, checked, busy = false, onChange }: Props) {
  return (
    <button
      className={styles.switch}
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onChange(!checked);
      }}
    />
  );
}
