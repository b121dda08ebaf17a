import { Skeleton } from "../ui/states/skeleton.tsx";
import styles from "./overview.module.css";

export function SectionLoading({ title, lines }: Readonly<{ title: string; lines: number }>) {
  return (
    <section className={styles.section} aria-busy>
      <h2>{title}</h2>
      <p className="sr" role="status">
        Loading
      </p>
      <ul className={styles.lines} aria-hidden>
        {Array.from({ length: lines }, (_, at) => (
          <li key={at}>
            <Skeleton height="0.9rem" width={`${65 - 7 * (at % 3)}%`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
