import type { Factor, GoTrueClient } from "@supabase/auth-js";
import { type FormEvent, useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { ServerUnreachable } from "../../dashboard/shell/unreachable.tsx";
import { queryClient } from "../../lib/api/query.ts";
import { authClient, dropSession, retrySession, useSession } from "../../lib/auth/session.ts";
import { usePasskeys } from "../../lib/auth/use-passkeys.ts";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/fields/field.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { pageAfterSignIn, useWelcome } from "../after-sign-in.ts";
import { errorMessageOf, isTemporary, showError } from "../error-message.ts";
import { factorName, CodeField, codeFigures } from "./code-field.tsx";
import styles from "../auth.module.css";

export const meta = () => unlistedMeta("Enter your code | Stagedoor");

type Mfa = GoTrueClient["mfa"];
/** Without empty hints the client would request a security key. */
const anyKind = { hints: [] } as object as Parameters<Mfa["webauthn"]["authenticate"]>[1];
type Response = Promise<{ error: unknown }>;

export default function EnterCode() {
  const session = useSession();
  const navigate = useNavigate();
  const welcome = useWelcome();
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const [chosen, setChosen] = useState("");
  const [busy, setBusy] = useState(false);
  const factors =
    session.phase === "signed-in"
      ? (session.session.user.factors ?? []).filter((one) => one.status === "verified")
      : [];
  const passkey = factors.find((one) => one.factor_type === "webauthn");
  const apps = factors.filter((one) => one.factor_type !== "webauthn");
  const app = apps.find((one) => one.id === chosen) ?? apps[0];
  const usable = usePasskeys();
  const gone = session.phase === "signed-out";
  const needless = session.phase === "signed-in" && factors.length === 0;
  useEffect(() => {
    if (gone) void navigate(paths.signIn, { replace: true });
    if (needless) void navigate(paths.dashboard, { replace: true });
  }, [gone, needless, navigate]);
  if (session.phase === "unreachable") return <ServerUnreachable onRetry={() => void retrySession()} />;
  if (session.phase !== "signed-in" || needless) return <Spinner />;

  const check = async (work: (mfa: Mfa) => Response): Promise<unknown> => {
    if (busy) return undefined;
    setBusy(true);
    const { error } = await work((await authClient()).mfa);
    setBusy(false);
    if (error) {
      showError(error);
      return error;
    }
    queryClient.clear();
    await welcome(pageAfterSignIn());
    return undefined;
  };
  const usePasskey = ({ id: factorId }: Factor) =>
    void check((mfa) => mfa.webauthn.authenticate({ factorId }, anyKind));
  return (
    <>
      <h1 className={styles.tight}>{app || usesRecoveryCode ? "Enter your code" : "Use your passkey"}</h1>
      {usesRecoveryCode ? (
        <RecoveryCode busy={busy} onCode={(code) => check((mfa) => mfa.recoveryCodes.verify({ code }))} />
      ) : app ? (
        <AppCode
          busy={busy}
          factors={apps}
          factor={app}
          onFactor={setChosen}
          onCode={(code) => check((mfa) => mfa.challengeAndVerify({ factorId: app.id, code }))}
        />
      ) : passkey && usable ? (
        <>
          <p className={styles.lead}>
            Your account also requires its passkey. Use the device or the security key that has it.
          </p>
          <Button size="big" wide busy={busy} busyLabel="Checking..." onClick={() => usePasskey(passkey)}>
            Use a passkey
          </Button>
        </>
      ) : (
        <p className={styles.lead}>
          Your account also requires its passkey, which this browser cannot use here. Enter a recovery code, or sign in
          with another browser.
        </p>
      )}
      <p className={`small ${styles.after} ${styles.alternatives}`}>
        {app && passkey && usable && !usesRecoveryCode ? (
          <TextButton onClick={() => usePasskey(passkey)}>Use a passkey</TextButton>
        ) : null}
        <TextButton onClick={() => setUsesRecoveryCode(!usesRecoveryCode)}>
          {usesRecoveryCode ? (app ? "Use the authenticator app" : "Use the passkey") : "Use a recovery code"}
        </TextButton>
      </p>
      <p className="small quiet">
        Signing in as {session.session.user.email}.{" "}
        <Link to={paths.signIn} onClick={() => void dropSession()}>
          Someone else?
        </Link>
      </p>
    </>
  );
}

type CodeProps = Readonly<{ busy: boolean; onCode(code: string): Promise<unknown> }>;
type AppProps = CodeProps & Readonly<{ factors: readonly Factor[]; factor: Factor; onFactor(id: string): void }>;

function AppCode({ busy, factors, factor, onFactor, onCode }: AppProps) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const check = async (typed: string) => {
    const error = await onCode(typed);
    if (!error) return;
    setRefused(errorMessageOf(error));
    if (!isTemporary(error)) setCode("");
  };
  const type = (next: string) => {
    setCode(next);
    setRefused(undefined);
    if (next.length === codeFigures && next !== code) void check(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === codeFigures) void check(code);
  };
  return (
    <>
      <p className={styles.lead}>
        Open the authenticator app on your phone and type the six digits it shows for Stagedoor. They change every 30
        seconds.
      </p>
      <form className={styles.stack} method="post" onSubmit={submit}>
        {factors.length > 1 ? (
          <SelectField
            label="Authenticator"
            name="authenticator"
            value={factor.id}
            onChange={(event) => {
              onFactor(event.target.value);
              setCode("");
            }}
          >
            {factors.map((one) => (
              <option key={one.id} value={one.id}>
                {factorName(one)}
              </option>
            ))}
          </SelectField>
        ) : null}
        <CodeField
          id="code"
          label="Six-digit code"
          hint="The code is checked when you enter the sixth digit."
          autoFocus
          value={code}
          error={refused}
          onChange={type}
        />
        <Button type="submit" size="big" wide busy={busy} busyLabel="Checking...">
          Sign In
        </Button>
      </form>
    </>
  );
}

function RecoveryCode({ busy, onCode }: CodeProps) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const error = await onCode(code.trim());
    setRefused(error ? errorMessageOf(error) : undefined);
  };
  return (
    <>
      <p className={styles.lead}>Enter one of your recovery codes. Each code works once.</p>
      <form className={styles.stack} method="post" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Recovery code"
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          required
          autoFocus
          value={code}
          error={refused}
          onChange={(event) => {
            setCode(event.target.value);
            setRefused(undefined);
          }}
        />
        <Button type="submit" size="big" wide busy={busy} busyLabel="Checking...">
          Sign In
        </Button>
      </form>
    </>
  );
}
