/** The field in which a person proves again that it is them: by the password, or by a code that is sent. */
import { useState } from "react";
import { SendAgain } from "../auth/codes/send-again.tsx";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import type { Proof } from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { authClient } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";
import styles from "./dialog.module.css";

type Props = Readonly<{
  /** The name of the input; one form may not hold two alike. */
  name: string;
  /** Said below the field until it is refused. */
  hint?: string;
  /** Why the last try was refused. */
  error?: string | undefined;
  /** The act takes codes only. */
  codeOnly?: boolean;
  onChange(proof: Proof): void;
}>;

/** An account without a password can use the code only; every other may choose. */
export function ReauthenticationFields({ name, hint, error, codeOnly = false, onChange }: Props) {
  const person = useCurrentUser();
  const me = person.phase === "known" ? person.me : undefined;
  const passwordWorks = !codeOnly && me?.hasPassword !== false;
  const codeWorks = codeOnly || !me?.hosted;
  const [way, setWay] = useState<"password" | "code">("password");
  const choose = (next: "password" | "code") => {
    setWay(next);
    onChange({});
  };
  if (passwordWorks && way === "password")
    return (
      <div className={styles.proof}>
        <TextField
          label="Your own password"
          name={name}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          onChange={(event) => onChange({ password: event.target.value })}
          error={error}
          hint={hint}
        />
        {codeWorks ? (
          <button type="button" className={styles.textButton} onClick={() => choose("code")}>
            Use a code from a mail instead
          </button>
        ) : null}
      </div>
    );
  return (
    <div className={styles.proof}>
      <ReauthenticationByCode name={name} to={me?.email ?? ""} error={error} onChange={onChange} />
      {passwordWorks ? (
        <button type="button" className={styles.textButton} onClick={() => choose("password")}>
          Use the password instead
        </button>
      ) : null}
    </div>
  );
}

type CodeProps = Readonly<{ name: string; to: string; error: string | undefined; onChange(proof: Proof): void }>;

function ReauthenticationByCode({ name, to, error, onChange }: CodeProps) {
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [code, setCode] = useState("");
  const goal = to || "your phone";
  const send = async () => {
    setBusy(true);
    const { error: refused } = await (await authClient()).reauthenticate();
    setBusy(false);
    if (refused) toast({ tone: "error", title: "Error", text: apiErrorOf(refused).message });
    else setSent(true);
    return !refused;
  };
  const type = (text: string) => {
    const next = text.replaceAll(/\D/g, "").slice(0, 6);
    setCode(next);
    onChange({ code: next });
  };
  if (!sent)
    return (
      <>
        <p className="small">We send a code to {goal}. It works once, for ten minutes.</p>
        <div>
          <Button tone="line" size="sm" busy={busy} busyLabel="Sending..." onClick={() => void send()}>
            Send the code
          </Button>
        </div>
      </>
    );
  return (
    <>
      <TextField
        label="Confirmation code"
        name={`${name}-code`}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d{6}"
        title="Six figures"
        required
        autoFocus
        value={code}
        onChange={(event) => type(event.target.value)}
        error={error}
        hint={`Sent to ${goal}.`}
      />
      <div>
        <SendAgain onSend={send} />
      </div>
    </>
  );
}

/** True when there is something to send: the code has all its figures, or the password is not empty. */
export const isComplete = (proof: Proof): boolean => Boolean(proof.password) || proof.code?.length === 6;
