import styles from "./settings.module.css";

export const unitProps = (unit: string, width = "5rem") =>
  ({
    rightSection: <span className={styles.unit}>{unit}</span>,
    rightSectionWidth: width,
    rightSectionPointerEvents: "none",
  }) as const;
