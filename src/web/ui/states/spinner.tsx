import styles from "./spinner.module.css";

export function Spinner() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading">
      <i />
    </div>
  );
}
