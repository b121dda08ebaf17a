import { useState } from "react";
import { Link } from "react-router";
import { authClient } from "../../lib/auth/session.ts";
import { textOf } from "../../lib/form-validation.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Route } from "./+types/email-code-page.ts";
import styles from "../auth.module.css";
import { noneRefused, useAccountForm } from "./use-account-form.ts";
import { showError, TypedCode } from "../codes/typed-code.tsx";

export const meta: Route.MetaFunction = () => [
  { title: "Sign in by email | Stagedoor" },
  { name: "robots", content: "noindex" },
];

export default function SignInByMail() {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [email, setEmail] = useState<string>();
  const sendCode = async (address: string) =>
    (await authClient()).signInWithOtp({
      email: address,
      options: { shouldCreateUser: false, emailRedirectTo: `${window.location.origin}/` },
    });
  const send = async (typed: string) => {
    setBusy(true);
    const { error } = await sendCode(typed);
    setBusy(false);
    if (error) showError(error);
    else setEmail(typed);
  };
  const { messages, submit } = useAccountForm(busy, noneRefused, (form) => void send(textOf(form, "email")));
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
      <h1 className={styles.tight}>Sign in by email</h1>
      {email === undefined ? (
        <>
          <p className={styles.lead}>
            Enter the address of your account. We email you a code and a link. Each works once.
          </p>
          <form className={styles.stack} method="post" noValidate onSubmit={submit}>
            <TextField
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              required
              error={messages["email"]}
            />
            <Button type="submit" size="big" wide disabled={!ready} busy={busy} busyLabel="Sending...">
              Send the code
            </Button>
          </form>
        </>
      ) : (
        <>
          <p className={styles.lead} role="status">
            If <strong>{email}</strong> has an account, we have emailed a code. No email? Check the spam folder, or try
            again in a minute.
          </p>
          <TypedCode
            target={{ email, type: "email" }}
            label="Code from the email"
            button="Sign In"
            changeLabel="Use another address"
            onOther={() => setEmail(undefined)}
            onResend={() => sendCode(email)}
          />
        </>
      )}
    </>
  );
}
