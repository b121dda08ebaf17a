import { useState } from "react";
import { authClient } from "../../lib/auth/session.ts";
import { Button } from "../../ui/button.tsx";
import { showError } from "../error-message.ts";

export function ConfirmationAgain({ email }: Readonly<{ email: string }>) {
  const [sent, setSent] = useState(false);
  const send = async () => {
    const { error } = await (await authClient()).resend({ type: "signup", email });
    if (error) showError(error);
    else setSent(true);
  };
  return (
    <div className="note gold" role="status">
      {sent ? (
        <p>We sent a new email to {email}. Use the button in it to sign in.</p>
      ) : (
        <>
          <p>{email} is not confirmed yet. Use the button in our email.</p>
          <Button tone="line" size="sm" busyLabel="Sending..." onClick={send}>
            Send the email again
          </Button>
        </>
      )}
    </div>
  );
}
