import { Skeleton } from "@mantine/core";
import styles from "./components.module.css";

export const ComponentsLoading = () => (
  <>
    <p className="sr" role="status">
      Loading the components
    </p>
    <div className={styles.backup} aria-hidden>
      {[0, 1, 2].map((part) => (
        <div key={part}>
          <Skeleton height="0.8rem" width="60%" />
          <Skeleton height="2rem" width="70%" mt="0.5rem" />
          <Skeleton height="0.8rem" width="90%" mt="0.5rem" />
        </div>
      ))}
    </div>
    <div className={styles.table} aria-hidden>
      <ul>
        {Array.from({ length: 9 }, (_, row) => (
          <li key={row} className={styles.row}>
            <Skeleton height="1rem" width="8rem" />
          </li>
        ))}
      </ul>
    </div>
  </>
);
