import { type FormEvent, useState } from "react";
import { authClient } from "../../lib/auth/session.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useAfterSignIn } from "../after-sign-in.ts";
import { errorMessageOf, isTemporary, showError } from "../error-message.ts";
import { SendAgain, CodeField } from "./code-field.tsx";
import styles from "../auth.module.css";

type Props = Readonly<{
  target: Readonly<{ email: string; type: "email" | "recovery" } | { phone: string; type: "sms" }>;
  label: string;
  button: string;
  changeLabel: string;
  onOther(): void;
  /** Called with true while a code is verified, because the session changes then. */
  onBusy?(busy: boolean): void;
  onResend(): Promise<{ error: unknown }>;
  /** Called after the sign-in instead of opening the user's dashboard. */
  onSignedIn?(): Promise<void>;
}>;

export function TypedCode({ target, label, button, changeLabel, onOther, onBusy, onResend, onSignedIn }: Props) {
  const continueAfterSignIn = useAfterSignIn();
  const [busy, setChecking] = useState(false);
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const setBusy = (now: boolean) => {
    setChecking(now);
    onBusy?.(now);
  };
  const check = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const verify = async () => (await authClient()).verifyOtp({ ...target, token: code });
    const { data, error } = await verify().catch((failure: unknown) => ({ data: { user: null }, error: failure }));
    if (data.user) await (onSignedIn ? onSignedIn() : continueAfterSignIn(data.user));
    else {
      if (!isTemporary(error)) setCode("");
      setRefused(errorMessageOf(error));
      showError(error);
    }
    setBusy(false);
  };
  const resend = async () => {
    const { error } = await onResend().catch((failure: unknown) => ({ error: failure }));
    if (error) showError(error);
    else {
      setRefused(undefined);
      toast({ title: "Sent", text: "We sent a new code. Older codes no longer work." });
    }
    return !error;
  };
  return (
    <>
      <form className={styles.stack} method="post" onSubmit={(event) => void check(event)}>
        <CodeField
          id="typed-code"
          label={label}
          value={code}
          error={refused}
          onChange={(typed) => {
            setCode(typed);
            setRefused(undefined);
          }}
          autoFocus
        />
        <Button type="submit" size="big" wide busy={busy} busyLabel="Checking...">
          {button}
        </Button>
      </form>
      <p className={`small ${styles.after} ${styles.alternatives}`}>
        <SendAgain onSend={resend} />
        <TextButton onClick={onOther}>{changeLabel}</TextButton>
      </p>
    </>
  );
}
