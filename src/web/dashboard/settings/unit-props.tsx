import styles from "./settings.module.css";

/** Returns the props of a text field that shows the unit of its value. */
export const unitProps = (unit: string, width = "5rem") =>
  ({
    rightSection: <span className={styles.unit}>{unit}</span>,
    rightSectionWidth: width,
    rightSectionPointerEvents: "none",
  }) as const;
