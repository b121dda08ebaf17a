import { type FormEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { cleanName, passwordIssues } from "#users/rules.ts";
import { ServerUnreachable } from "../../dashboard/shell/unreachable.tsx";
import { useHostedAuth } from "../../dashboard/use-hosted-auth.ts";
import { authClient, retrySession, useSession } from "../../lib/auth/session.ts";
import { toast } from "../../lib/toasts.ts";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { CodeField } from "../codes/code-field.tsx";
import { errorMessageOf } from "../error-message.ts";
import styles from "../auth.module.css";

export const meta = () => unlistedMeta("Set a new password | Stagedoor");

export default function Reset() {
  const session = useSession();
  if (session.phase === "loading") return <Spinner />;
  if (session.phase === "unreachable") return <ServerUnreachable onRetry={() => void retrySession()} />;
  if (session.phase === "signed-in")
    return (
      <NewPassword
        email={session.session.user.email ?? ""}
        name={cleanName(session.session.user.user_metadata["name"]) ?? ""}
        first={session.session.user.app_metadata["has_password"] === false}
      />
    );
  return (
    <div className={styles.afterSpinner}>
      <h1 className={styles.tight}>Set a new password</h1>
      <p className={styles.lead}>Open the link in our email on this device to set a new password.</p>
      <LinkButton size="big" wide to={paths.forgotPassword}>
        Send me a link
      </LinkButton>
    </div>
  );
}

const tooLate = "You opened our link more than five minutes ago. Request a new link under “Forgot your password”.";

function NewPassword({ email, name, first }: Readonly<{ email: string; name: string; first: boolean }>) {
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [code, setCode] = useState<string>();
  const isHosted = useHostedAuth();
  const faults = passwordIssues(password, [email, name]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setRefused(undefined);
    try {
      const auth = await authClient();
      const { error } = await auth.updateUser({ password, ...(code ? { nonce: code } : {}) });
      const isProofNeeded = error?.code === "reauthentication_needed";
      // After five minutes the server requires the mailbox to be verified again. A hosted service's codes cannot be verified here.
      const sent = isProofNeeded && !isHosted ? await auth.reauthenticate() : undefined;
      if (sent && !sent.error) return setCode("");
      if (error) return setRefused(isProofNeeded ? tooLate : errorMessageOf(error));
    } catch (failure) {
      return setRefused(errorMessageOf(failure));
    } finally {
      setBusy(false);
    }
    toast({ title: "Password saved", text: "Every other device has been signed out." });
    await navigate(paths.dashboard, { replace: true });
  };
  return (
    <div className={styles.afterSpinner}>
      <h1 className={styles.tight}>Set a new password</h1>
      <p className={styles.lead}>
        For <strong>{email}</strong>. Every other device is signed out when you save.
      </p>
      <form className={styles.stack} method="post" onSubmit={(event) => void save(event)}>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <div className="field">
          <label htmlFor="new-password">New password</label>
          <span className={styles.with}>
            <input
              className="in"
              id="new-password"
              name="password"
              type={shown ? "text" : "password"}
              autoComplete="new-password"
              aria-describedby="password-rules"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            <Button tone="line" aria-pressed={shown} onClick={() => setShown(!shown)}>
              {shown ? "Hide" : "Show"}
            </Button>
          </span>
        </div>
        <ul className={styles.rules} id="password-rules">
          <Rule met={!faults.includes("length")}>At least 8 characters</Rule>
          <Rule met={password !== "" && !faults.includes("context") && !faults.includes("repeat")}>
            Not your name or address, not one character repeated
          </Rule>
        </ul>
        <p className="small quiet">
          When you save, it is also compared with leaked passwords, runs of letters and keys, and the name of this site.
        </p>
        {code === undefined ? null : (
          <CodeField
            id="reset-code"
            label="Code from our email"
            hint="Your sign-in is older than five minutes, so we have sent you a code. It works once, for ten minutes."
            autoFocus
            value={code}
            onChange={setCode}
          />
        )}
        <ErrorNote message={refused} />
        <Button type="submit" size="big" wide busy={busy} busyLabel="Saving...">
          Save the new password
        </Button>
      </form>
      {first ? (
        <p className={`small ${styles.after}`}>
          <Link to={paths.dashboard}>Not now</Link>. Until then you sign in with a code from an email.
        </p>
      ) : null}
    </div>
  );
}

function Rule({ met, children }: Readonly<{ met: boolean; children: string }>) {
  return (
    <li data-met={met ? "" : undefined}>
      <span>
        {children}
        {met ? <span className="sr"> (fulfilled)</span> : null}
      </span>
    </li>
  );
}
