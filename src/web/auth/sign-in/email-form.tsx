import { useState } from "react";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { textOf } from "../../lib/form-validation.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { showError } from "../error-message.ts";
import { noMessages, useAccountForm } from "./use-account-form.ts";
import styles from "../auth.module.css";

type Props = Readonly<{
  button: string;
  onSend(email: string): Promise<{ error: unknown }>;
  onSent(email: string): void;
}>;

export function EmailForm({ button, onSend, onSent }: Props) {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const send = async (email: string) => {
    setBusy(true);
    const { error } = await onSend(email).catch((failure: unknown) => ({ error: failure }));
    setBusy(false);
    if (error) showError(error);
    else onSent(email);
  };
  const { messages, submit } = useAccountForm(busy, noMessages, (form) => void send(textOf(form, "email")));
  return (
    <form className={styles.stack} method="post" noValidate onSubmit={submit}>
      <TextField label="Email" name="email" type="email" autoComplete="username" required error={messages["email"]} />
      <Button type="submit" size="big" wide disabled={!ready} busy={busy} busyLabel="Sending...">
        {button}
      </Button>
    </form>
  );
}
