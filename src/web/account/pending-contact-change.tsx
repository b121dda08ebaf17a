import { type FormEvent, useState } from "react";
import { CodeField, codeFigures, shortCodeMessage } from "../auth/codes/code-field.tsx";
import { SendAgain } from "../auth/codes/send-again.tsx";
import { showError } from "../auth/error-message.ts";
import { authClient } from "../lib/auth/session.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { useAccountAction } from "./use-account-action.ts";
import styles from "./account.module.css";

export const withPlus = (digits: string): string => (digits ? `+${digits}` : "");
export const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, "");

async function sent(request: Promise<{ error: unknown }>, text: string): Promise<boolean> {
  const { error } = await request;
  if (error) showError(error);
  else toast({ title: "Sent", text });
  return !error;
}

export function WaitingEmail({ now, wanted }: Readonly<{ now: string; wanted: string }>) {
  const { busy, runAction } = useAccountAction();
  const again = async () =>
    sent((await authClient()).resend({ type: "email_change", email: wanted }), "We sent a new link.");
  const takeBack = () =>
    runAction(async () => (await authClient()).updateUser({ email: now }), { done: `Your address is still ${now}.` });
  return (
    <div className={`note gold ${styles.waiting}`}>
      <p>
        The change to {wanted} is not confirmed yet. Open the links that we emailed to both addresses. Until both are
        opened, we email {now}.
      </p>
      <div className={styles.row}>
        <SendAgain onSend={again} />
        <Button tone="line" size="sm" busy={busy} busyLabel="Withdrawing..." onClick={() => void takeBack()}>
          Withdraw the change
        </Button>
      </div>
    </div>
  );
}

export function WaitingPhone({ now, wanted }: Readonly<{ now: string; wanted: string }>) {
  const { busy, runAction } = useAccountAction();
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const phone = withPlus(wanted);
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < codeFigures) return setRefused(shortCodeMessage);
    setRefused(undefined);
    const done = await runAction(
      async () => (await authClient()).verifyOtp({ phone, token: code, type: "phone_change" }),
      { done: "Your phone number is confirmed.", onError: setRefused },
    );
    if (!done) setCode("");
  };
  const again = async () =>
    sent((await authClient()).resend({ type: "phone_change", phone }), `We sent a new code to ${phone}.`);
  const takeBack = () =>
    runAction(async () => (await authClient()).updateUser({ phone: withPlus(now) }), {
      done: now ? `Your number is still ${withPlus(now)}.` : "No number is stored.",
    });
  return (
    <form className={`note gold ${styles.waiting}`} noValidate onSubmit={(event) => void confirm(event)}>
      <CodeField
        id="phone-code"
        label={`Code from the message to ${phone}`}
        value={code}
        error={refused}
        onChange={setCode}
      />
      <div className={styles.row}>
        <Button type="submit" size="sm" busy={busy} busyLabel="Checking...">
          Confirm
        </Button>
        <SendAgain onSend={again} />
        <Button tone="line" size="sm" onClick={() => void takeBack()}>
          Withdraw the change
        </Button>
      </div>
    </form>
  );
}
