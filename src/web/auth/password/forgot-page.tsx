import { useState } from "react";
import { useNavigate } from "react-router";
import { authClient } from "../../lib/auth/session.ts";
import { localMoment } from "../../lib/format/dates.ts";
import { TypedCode } from "../codes/typed-code.tsx";
import { EmailForm } from "../sign-in/email-form.tsx";
import { StepHead } from "../sign-in/step-head.tsx";
import { resetPath } from "./reset-path.ts";
import styles from "../auth.module.css";

export const meta = () => [{ title: "Forgot your password | Stagedoor" }];

export default function Forgot() {
  const navigate = useNavigate();
  const [sent, setSent] = useState<{ email: string; time: string }>();
  const sendLink = async (email: string) =>
    (await authClient()).resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/` });
  return (
    <>
      <StepHead title="Forgot your password" />
      <p className={styles.lead}>
        Enter the email address of your account. We send a link that works once and for one hour. Your password does not
        change until you set a new one.
      </p>
      <EmailForm
        button="Send the link"
        onSend={(email) => {
          setSent(undefined);
          return sendLink(email);
        }}
        onSent={(email) => setSent({ email, time: localMoment(new Date()).time })}
      />
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
