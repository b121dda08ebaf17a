/** The password. A session older than a day proves the person again, by a code in an email. */
import { type FormEvent, useState } from "react";
import { passwordLength } from "#users/rules.ts";
import { authClient } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAccountAction } from "./use-account-action.ts";

type Props = Readonly<{ email: string; has: boolean }>;

/** Sets a new password. An account that signs in by codes alone gets its first one here. */
export function PasswordSection({ email, has }: Props) {
  const { busy, runAction, dialog } = useAccountAction();
  const [password, setPassword] = useState("");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const auth = await authClient();
    const done = await runAction(({ code }) => auth.updateUser({ password, ...(code ? { nonce: code } : {}) }), {
      codeOnly: true,
      done: "Your password has been changed. Every other device is signed out.",
    });
    if (done) setPassword("");
  };
  return (
    <Section
      title="Password"
      why={
        has
          ? "Changing it signs out every other device."
          : "This account has none: you sign in by codes. Setting one signs out every other device."
      }
    >
      <form className={styles.body} onSubmit={(event) => void save(event)}>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          hint={`At least ${passwordLength.min} characters.`}
        />
        <div className={styles.row}>
          <Button type="submit" tone="line" busy={busy} busyLabel="Saving...">
            {has ? "Change Password" : "Set Password"}
          </Button>
        </div>
      </form>
      {dialog}
    </Section>
  );
}
