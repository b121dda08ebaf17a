import { Button } from "../../ui/button.tsx";
import type { SignInInput } from "./sign-in-form.tsx";
import styles from "../auth.module.css";

/** The accounts of the demo market (seed/). Their password is public and works in demo mode only. */
const password = "demo-password";
const accounts = [
  ["Promoter", "promoter@demo.test"],
  ["Artist", "artist@demo.test"],
  ["Admin", "admin@demo.test"],
] as const;

type Props = Readonly<{ ready: boolean; busy: boolean; onEnter(input: SignInInput): void }>;

/** Rendered only if the server reports that the demo market is open. */
export function DemoEntry({ ready, busy, onEnter }: Props) {
  return (
    <section className={`note ${styles.demo}`} aria-labelledby="demo-entry">
      <div className={styles.entries}>
        <h2 id="demo-entry">Look around as</h2>
        {accounts.map(([role, email]) => (
          <Button
            key={role}
            tone="line"
            size="sm"
            disabled={!ready}
            busy={busy}
            onClick={() => onEnter({ email, password })}
          >
            {role}
          </Button>
        ))}
      </div>
      <p className="small">
        Or type promoter@demo.test, artist@demo.test or admin@demo.test, with the password <strong>{password}</strong>.
      </p>
    </section>
  );
}
