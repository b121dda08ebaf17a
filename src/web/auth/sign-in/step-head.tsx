import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import styles from "../auth.module.css";

export function StepHead({ title }: Readonly<{ title: string }>) {
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
      <h1 className={styles.tight}>{title}</h1>
    </>
  );
}
