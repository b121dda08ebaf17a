import { oidcPaths } from "#users/oidc/rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import styles from "../auth.module.css";

type Props = Readonly<{
  /** The name of the organization's provider. */
  label: string;
  /** Why the last attempt failed. */
  problem: string | undefined;
}>;

/** The way to the organization's provider. A plain link: the browser leaves the site and comes back signed in. */
export function SingleSignOn({ label, problem }: Props) {
  return (
    <div className={`${styles.stack} ${styles.after}`}>
      {problem ? (
        <p className="note cherry" role="alert">
          {problem}
        </p>
      ) : null}
      <a className={buttonClass({ tone: "line", size: "big", wide: true })} href={oidcPaths.start}>
        Continue with {label}
      </a>
    </div>
  );
}
