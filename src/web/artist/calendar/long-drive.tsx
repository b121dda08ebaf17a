import { TriangleAlert } from "lucide-react";
import styles from "./warnings.module.css";

/** The mark of a show or request that the artist cannot reach from a neighboring one in time. */
export const LongDrive = () => (
  <strong className={styles.mark}>
    <TriangleAlert size={14} aria-hidden /> Long drive
  </strong>
);
