import { TriangleAlert } from "lucide-react";
import styles from "./warnings.module.css";

/** Marks a show or request that the artist cannot reach in time from a neighboring one. */
export const LongDrive = () => (
  <strong className={styles.mark}>
    <TriangleAlert size={14} aria-hidden /> Long drive
  </strong>
);
