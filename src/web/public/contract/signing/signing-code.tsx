import { useState } from "react";
import { CodeField } from "../../../auth/codes/code-field.tsx";
import { SendAgain } from "../../../auth/codes/send-again.tsx";
import { errorToast } from "../../../lib/attempt.ts";
import { closeErrors } from "../../../lib/toasts.ts";
import { Button } from "../../../ui/button.tsx";
import type { ContractResponse } from "../use-signing.ts";
import styles from "../sign.module.css";

type Props = Readonly<{
  sent: NonNullable<ContractResponse["code"]>["sent"];
  code: string;
  error: string | undefined;
  onChange(code: string): void;
  onSend(): Promise<void>;
}>;

export function SigningCode({ sent, code, error, onChange, onSend }: Props) {
  const [busy, setBusy] = useState(false);
  const [wasRequested, setWasRequested] = useState(false);
  const send = async (): Promise<boolean> => {
    closeErrors();
    try {
      await onSend();
      setWasRequested(true);
      onChange("");
      return true;
    } catch (problem) {
      errorToast()(problem);
      return false;
    }
  };
  const sendFirst = async () => {
    setBusy(true);
    await send();
    setBusy(false);
  };
  return (
    <div className={styles.code} role="group" aria-label="One-time code">
      <p role="status">
        {sent
          ? `We sent a code by ${sent.channel === "sms" ? "SMS" : "email"} to ${sent.to}. It works for 10 minutes.`
          : "We send you a code before you sign."}
      </p>
      {sent ? (
        <>
          <CodeField
            id="signing-code"
            label="Code"
            value={code}
            error={error}
            autoFocus={wasRequested}
            onChange={onChange}
          />
          <div>
            <SendAgain key={sent.expires_at} onSend={send} />
          </div>
        </>
      ) : (
        <div>
          <Button
            name="code"
            tone="line"
            busy={busy}
            busyLabel="Sending..."
            aria-describedby={error ? "signing-code-error" : undefined}
            onClick={() => void sendFirst()}
          >
            Send me a code
          </Button>
          {error ? (
            <p className={styles.wrong} id="signing-code-error">
              {error}
            </p>
          ) : null}
        </div>
      )}
    </div>
  );
}
