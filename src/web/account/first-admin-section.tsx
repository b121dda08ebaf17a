/** The console's one-time token, which makes this person an admin. Folded away: almost nobody has one. */
import { type FormEvent, useState } from "react";
import { useBecomeFirstAdmin } from "../lib/api/users.ts";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";
import styles from "./account.module.css";
import { Section } from "./section.tsx";

/** Takes the token. Nothing for somebody who is an admin already. */
export function FirstAdminSection() {
  const person = useCurrentUser();
  const become = useBecomeFirstAdmin();
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState("");
  if (person.phase !== "known" || person.me.role === "admin") return null;
  const go = async (event: FormEvent) => {
    event.preventDefault();
    setRefused("");
    try {
      await become.mutateAsync({ token: token.trim() });
      toast({ title: "You are an admin now", text: "The Admin Panel is open to you." });
    } catch (error) {
      setRefused(apiErrorOf(error).message);
    }
  };
  return (
    <Section title="Console token" why="Whoever runs this server can make the first admin with a token of its console.">
      <details className={styles.fold}>
        <summary>I have a token</summary>
        <form className={styles.body} onSubmit={(event) => void go(event)}>
          <TextField
            label="Token"
            name="console-token"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
            error={refused || undefined}
            hint="Good once, for an hour."
          />
          <div className={styles.row}>
            <Button type="submit" tone="line" busy={become.isPending} busyLabel="Checking...">
              Become admin
            </Button>
          </div>
        </form>
      </details>
    </Section>
  );
}
