import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { textOf, type ValidationMessages } from "../../lib/form-validation.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useAccountForm } from "./use-account-form.ts";
import styles from "../auth.module.css";

export type SignInInput = Readonly<{ email: string; password: string }>;

type Props = Readonly<{
  /** False until hydration. A form sent earlier would put the password into the address. */
  ready: boolean;
  busy: boolean;
  refused: ValidationMessages<string>;
  onSend(input: SignInInput): void;
  /** Signs in without a name. The browser offers the passkeys of this site. Undefined where passkeys do not work. */
  onPasskey?: (() => void) | undefined;
}>;

export function SignInForm({ ready, busy, refused, onSend, onPasskey }: Props) {
  const { messages, submit } = useAccountForm(busy, refused, (form) =>
    onSend({ email: textOf(form, "email"), password: String(form.get("password")) }),
  );
  return (
    <form className={styles.stack} method="post" noValidate onSubmit={submit}>
      <TextField label="Email" name="email" type="email" autoComplete="username" required error={messages["email"]} />
      <div className={styles.pair}>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={messages["password"]}
        />
        <Link to={paths.forgotPassword}>Forgot password?</Link>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" size="big" disabled={!ready} busy={busy} busyLabel="Signing in...">
          Sign In
        </Button>
        {onPasskey ? (
          <Button tone="line" size="big" disabled={!ready || busy} onClick={onPasskey}>
            Use a passkey
          </Button>
        ) : null}
      </div>
      <p className="small">
        No password? <Link to={paths.signInByMail}>Sign in by email</Link> or{" "}
        <Link to={paths.signInByPhone}>use your phone instead</Link>.
      </p>
    </form>
  );
}
