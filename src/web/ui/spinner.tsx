import styles from "./spinner.module.css";

/** A centred spinner, for guards only: lists show skeletons instead. */
export function Spinner() {
  return (
    <div className={styles.place} role="status" aria-label="Loading">
      <i />
    </div>
  );
}
