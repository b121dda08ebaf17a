import { PasswordInput } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { SendAgain, CodeField, codeFigures } from "../../auth/codes/code-field.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useCurrentUser } from "../../lib/api/current-user.ts";
import {
  type Reauthentication,
  isReauthenticationRefused,
  needsReauthentication,
} from "../../lib/auth/reauthentication.ts";
import { authClient } from "../../lib/auth/session.ts";
import { focusInvalid } from "../../lib/browser/announce.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import styles from "./dialog.module.css";

type Props = Readonly<{
  name: string;
  hint?: string;
  error?: string | undefined;
  onChange(reauthentication: Reauthentication): void;
}>;

/** An account without a password can use only the code. Every other account can choose. */
export function ReauthenticationFields({ name, hint, error, onChange }: Props) {
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const passwordWorks = me?.hasPassword !== false;
  const codeWorks = !me?.hosted;
  const [method, setMethod] = useState<"password" | "code">("password");
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const input = container.current?.querySelector("input");
    if (error && input) focusInvalid(input, error);
  }, [error]);
  const choose = (next: "password" | "code") => {
    setMethod(next);
    onChange({});
  };
  if (passwordWorks && method === "password")
    return (
      <div ref={container} className={styles.reauthentication}>
        <PasswordInput
          label="Your own password"
          name={name}
          autoComplete="current-password"
          required
          autoFocus
          data-autofocus
          onChange={(event) => onChange({ password: event.currentTarget.value })}
          error={error}
          description={hint}
        />
        {codeWorks ? (
          <TextButton small onClick={() => choose("code")}>
            Use a code from an email instead
          </TextButton>
        ) : null}
      </div>
    );
  return (
    <div ref={container} className={styles.reauthentication}>
      <ReauthenticationByCode name={name} to={me?.email ?? ""} error={error} onChange={onChange} />
      {passwordWorks ? (
        <TextButton small onClick={() => choose("password")}>
          Use the password instead
        </TextButton>
      ) : null}
    </div>
  );
}

type CodeProps = Readonly<{
  name: string;
  to: string;
  error: string | undefined;
  onChange(reauthentication: Reauthentication): void;
}>;

function ReauthenticationByCode({ name, to, error, onChange }: CodeProps) {
  const [sent, setSent] = useState(false);
  const [code, setCode] = useState("");
  const [notSent, setNotSent] = useState<string>();
  const recipient = to || "your phone";
  const send = async () => {
    setNotSent(undefined);
    const request = async () => (await authClient()).reauthenticate();
    const { error: refused } = await request().catch((failure: unknown) => ({ error: failure }));
    if (refused) setNotSent(apiErrorOf(refused).message);
    else setSent(true);
    return !refused;
  };
  const type = (next: string) => {
    setCode(next);
    onChange({ code: next });
  };
  const failure = <ErrorNote message={notSent ?? (sent ? undefined : error)} />;
  if (!sent)
    return (
      <>
        <p className="small">We send a code to {recipient}. It works once, for ten minutes.</p>
        {failure}
        <div>
          <Button tone="line" size="sm" busyLabel="Sending..." onClick={send}>
            Send the code
          </Button>
        </div>
      </>
    );
  return (
    <>
      <CodeField
        id={`${name}-code`}
        label="Confirmation code"
        autoFocus
        value={code}
        onChange={type}
        error={error}
        hint={`Sent to ${recipient}.`}
      />
      {failure}
      <div>
        <SendAgain onSend={send} />
      </div>
    </>
  );
}

export const isComplete = (reauthentication: Reauthentication): boolean =>
  Boolean(reauthentication.password) || reauthentication.code?.length === codeFigures;

/** Returns the field and `run`, which resolves to false while the user must still reauthenticate. Throws other errors. */
export function useReauthentication(field: Readonly<{ name: string; hint: string }>): {
  fields: ReactNode;
  run(work: (reauthentication: Reauthentication) => Promise<unknown>): Promise<boolean>;
} {
  const [isRequested, setRequested] = useState(false);
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [error, setError] = useState<string>();
  const change = (next: Reauthentication) => {
    setReauthentication(next);
    setError(undefined);
  };
  return {
    fields: isRequested ? <ReauthenticationFields {...field} error={error} onChange={change} /> : null,
    run: async (work) => {
      if (isRequested && !isComplete(reauthentication)) {
        setError("Confirm with your password, or with a code of six figures.");
        return false;
      }
      setError(undefined);
      try {
        await work(reauthentication);
        return true;
      } catch (failure) {
        if (needsReauthentication(failure) && !isRequested) setRequested(true);
        else if (isReauthenticationRefused(failure)) setError(apiErrorOf(failure).message);
        else throw failure;
        return false;
      }
    },
  };
}
