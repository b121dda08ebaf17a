import { oidcPaths } from "#users/oidc/rules.ts";
import { LinkButton } from "../../ui/button.tsx";
import styles from "../auth.module.css";

type Props = Readonly<{
  label: string;
  problem: string | undefined;
}>;

/** The link to the organization's identity provider. A plain link, because the browser leaves the site. */
export function SingleSignOn({ label, problem }: Props) {
  return (
    <div className={`${styles.stack} ${styles.after}`}>
      {problem ? (
        <p className="note cherry" role="alert">
          {problem}
        </p>
      ) : null}
      <LinkButton tone="line" size="big" wide href={oidcPaths.start}>
        Continue with {label}
      </LinkButton>
    </div>
  );
}
