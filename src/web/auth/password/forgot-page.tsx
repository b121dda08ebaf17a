import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { localMoment } from "../../lib/format/dates.ts";
import { authClient } from "../../lib/auth/session.ts";
import { textOf } from "../../lib/form-validation.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Route } from "./+types/forgot-page.ts";
import styles from "../auth.module.css";
import { noneRefused, useAccountForm } from "../sign-in/use-account-form.ts";
import { showError, TypedCode } from "../codes/typed-code.tsx";
import { resetPath } from "./reset-path.ts";

export const meta: Route.MetaFunction = () => [{ title: "Forgot your password | Stagedoor" }];

/** Shows the same text for a known and an unknown address. */
export default function Forgot() {
  const ready = useHydrated();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<{ email: string; time: string }>();
  const sendLink = async (email: string) =>
    (await authClient()).resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/` });
  const send = async (email: string) => {
    setBusy(true);
    setSent(undefined);
    const { error } = await sendLink(email);
    setBusy(false);
    if (error) showError(error);
    else setSent({ email, time: localMoment(new Date()).time });
  };
  const { messages, submit } = useAccountForm(busy, noneRefused, (form) => void send(textOf(form, "email")));
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
      <h1 className={styles.tight}>Forgot your password</h1>
      <p className={styles.lead}>
        Enter the email address of your account. We send a link that works once and for one hour. Your password does not
        change until you set a new one.
      </p>
      <form className={styles.stack} method="post" noValidate onSubmit={submit}>
        <TextField label="Email" name="email" type="email" autoComplete="username" required error={messages["email"]} />
        <Button type="submit" size="big" wide disabled={!ready} busy={busy} busyLabel="Sending...">
          Send the link
        </Button>
      </form>
      {sent ? (
        <>
          <p className={`note blue ${styles.after}`} role="status">
            <strong>Sent at {sent.time}.</strong> If {sent.email} has an account, we have emailed a link. No email?
            Check the spam folder, or try again in a minute.
          </p>
          <div className={styles.after}>
            <TypedCode
              target={{ email: sent.email, type: "recovery" }}
              label="Or enter the code"
              button="Set new password"
              changeLabel="Use another address"
              onOther={() => setSent(undefined)}
              onResend={() => sendLink(sent.email)}
              onSignedIn={async () => navigate(await resetPath())}
            />
          </div>
        </>
      ) : null}
    </>
  );
}
