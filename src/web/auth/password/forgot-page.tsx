import { useState } from "react";
import { Link } from "react-router";
import { localMoment } from "../../lib/format/dates.ts";
import { authClient } from "../../lib/auth/session.ts";
import { textOf } from "../../lib/form-validation.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/toaster.tsx";
import type { Route } from "./+types/forgot-page.ts";
import styles from "../auth.module.css";
import { noneRefused, useAccountForm } from "../sign-in/use-account-form.ts";
import { errorMessageOf } from "../error-message.ts";

export const meta: Route.MetaFunction = () => [{ title: "Forgot your password | Stagedoor" }];

/** Shows the same text for a known and an unknown address. */
export default function Forgot() {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<{ email: string; time: string }>();
  const send = async (email: string) => {
    setBusy(true);
    setSent(undefined);
    const { error } = await (
      await authClient()
    ).resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/` });
    setBusy(false);
    if (error) toast({ tone: "error", title: "Error", text: errorMessageOf(error) });
    else setSent({ email, time: localMoment(new Date()).time });
  };
  const { messages, submit } = useAccountForm(busy, noneRefused, (form) => void send(textOf(form, "email")));
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={paths.signIn}>Sign In</Link>
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
        <p className={`note blue ${styles.after}`} role="status">
          <strong>Sent at {sent.time}.</strong> If {sent.email} has an account, we have emailed a link. No email? Check
          the spam folder, or try again in a minute.
        </p>
      ) : null}
    </>
  );
}
