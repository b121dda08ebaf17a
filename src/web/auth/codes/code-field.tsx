/** A single input supports paste, autofill and screen readers. */

import type { Factor } from "@supabase/auth-js";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { controlProps, FieldLayout } from "../../ui/fields/field.tsx";
import styles from "../auth.module.css";

export const codeFigures = 6;

export const shortCodeMessage = `Enter all ${codeFigures} digits of the code.`;

type Props = Readonly<{
  id: string;
  label: string;
  value: string;
  hint?: string;
  error?: string | undefined;
  autoFocus?: boolean;
  onChange(code: string): void;
}>;

export function CodeField({ id, label, value, hint, error, autoFocus = false, onChange }: Props) {
  const field = { name: id, hint, error };
  return (
    <FieldLayout label={label} {...field}>
      <input
        {...controlProps(field)}
        className={styles.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d{6}"
        title="Six figures"
        required
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, "").slice(0, codeFigures))}
      />
    </FieldLayout>
  );
}

export const factorName = (factor: Pick<Factor, "friendly_name">): string =>
  factor.friendly_name || "Authenticator app";

/** Seconds between two messages. The server allows five per hour. */
const waitSeconds = 60;

export function SendAgain({ onSend }: Readonly<{ onSend(): Promise<boolean> }>) {
  const [sentAt, setSentAt] = useState(() => performance.now());
  const [left, setLeft] = useState(waitSeconds);
  useEffect(() => {
    const update = () => setLeft(Math.max(0, Math.ceil(waitSeconds - (performance.now() - sentAt) / 1000)));
    update();
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  }, [sentAt]);
  const send = async () => {
    if (await onSend()) setSentAt(performance.now());
  };
  return (
    <Button tone="line" size="sm" disabled={left > 0} busyLabel="Sending..." onClick={send}>
      {left > 0 ? `Send it again in ${left} s` : "Send it again"}
    </Button>
  );
}
