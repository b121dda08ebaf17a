/** The password. A session older than a day proves the person again, by a code in a mail. */
import { type FormEvent, useState } from "react";
import { passwordLength } from "#users/rules.ts";
import { authClient } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAct } from "./use-act.ts";

/** Sets a new password; asks for the code only when the server wants one. */
export function PasswordSection({ email }: Readonly<{ email: string }>) {
  const { busy, act } = useAct();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const auth = await authClient();
    const change = code === undefined ? { password } : { password, nonce: code.trim() };
    const refused = await act(
      () => auth.updateUser(change),
      "Your password has been changed. Every other device is signed out.",
    );
    if (refused === "reauthentication_needed") {
      const unsent = await act(() => auth.reauthenticate());
      if (!unsent) setCode("");
    }
    if (refused) return;
    setPassword("");
    setCode(undefined);
  };
  return (
    <Section title="Password" why="Changing it signs out every other device.">
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
        {code === undefined ? null : (
          <TextField
            label="Code from the mail"
            name="nonce"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
            hint={`You signed in more than a day ago, so we sent a code to ${email}.`}
          />
        )}
        <div className={styles.row}>
          <Button type="submit" tone="line" busy={busy} busyLabel="Saving...">
            Change Password
          </Button>
        </div>
      </form>
    </Section>
  );
}
