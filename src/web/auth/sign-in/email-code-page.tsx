import { useState } from "react";
import { authClient } from "../../lib/auth/session.ts";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { TypedCode } from "../codes/typed-code.tsx";
import { EmailForm } from "./email-form.tsx";
import { StepHead } from "./step-head.tsx";
import styles from "../auth.module.css";

export const meta = () => unlistedMeta("Sign in by email | Stagedoor");

export default function SignInByMail() {
  const [email, setEmail] = useState<string>();
  const sendCode = async (address: string) =>
    (await authClient()).signInWithOtp({
      email: address,
      options: { shouldCreateUser: false, emailRedirectTo: `${window.location.origin}/` },
    });
  return (
    <>
      <StepHead title="Sign in by email" />
      {email === undefined ? (
        <>
          <p className={styles.lead}>
            Enter the address of your account. We email you a code and a link. Each works once.
          </p>
          <EmailForm button="Send the code" onSend={sendCode} onSent={setEmail} />
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
