/** The Sign In tab: email and password. */
import type { FormEvent } from "react";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import styles from "../auth.module.css";

export type SignInInput = Readonly<{ email: string; password: string }>;

type Props = Readonly<{
  /** False until the page listens; a form sent earlier would put the password into the address. */
  ready: boolean;
  busy: boolean;
  /** The demo market is open: the accounts that anybody may try are named. */
  demoAccounts: boolean;
  onSend(wish: SignInInput): void;
}>;

/** Asks for email and password. What was typed stays when the server refuses. */
export function SignInForm({ ready, busy, demoAccounts, onSend }: Props) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    onSend({ email: String(form.get("email")).trim(), password: String(form.get("password")) });
  };
  return (
    <form className={styles.stack} method="post" onSubmit={send}>
      <div className="field">
        <label htmlFor="sign-in-email">Email</label>
        <input className="in" id="sign-in-email" name="email" type="email" autoComplete="username" required />
      </div>
      <div className="field">
        <span className={styles.pair}>
          <label htmlFor="sign-in-password">Password</label>
          <Link to={paths.forgotPassword}>Forgot password?</Link>
        </span>
        <input
          className="in"
          id="sign-in-password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      <button
        className={busy ? `btn big wide ${styles.busy}` : "btn big wide"}
        type="submit"
        disabled={!ready}
        aria-busy={busy}
        aria-disabled={busy}
      >
        {busy ? "Signing in..." : "Sign In"}
      </button>
      <p className="small">
        No password at hand? <Link to={paths.signInByMail}>Sign in by mail</Link> or{" "}
        <Link to={paths.signInByPhone}>use your phone instead</Link>.
      </p>
      {demoAccounts ? (
        <p className="note">
          Demo accounts: admin@demo.test, artist@demo.test, promoter@demo.test. The password of each is{" "}
          <strong>demo-password</strong>.
        </p>
      ) : null}
    </form>
  );
}
