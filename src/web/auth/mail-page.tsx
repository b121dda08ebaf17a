/** /auth/mail: signs in without a password, by a code or a link in a mail. */
import { type FormEvent, useState } from "react";
import { Link, useLoaderData, useNavigate } from "react-router";
import { apiContext } from "../lib/api-context.ts";
import { authClient } from "../lib/session.ts";
import { useHydrated } from "../lib/use-hydrated.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";
import type { Route } from "./+types/mail-page.ts";
import styles from "./auth.module.css";
import { AuthFrame } from "./frame.tsx";
import { wallPosters } from "./posters.ts";
import { takeRememberedRoute } from "./remembered-route.ts";
import { sentenceOf } from "./sentence.ts";

export const handle = { wall: true };

export async function loader({ context }: Route.LoaderArgs) {
  return { posters: await wallPosters(context.get(apiContext), 1) };
}

export const meta: Route.MetaFunction = () => [
  { title: "Sign in by mail | Stagedoor" },
  { name: "robots", content: "noindex" },
];

export default function MailPage() {
  const { posters } = useLoaderData<typeof loader>();
  return (
    <AuthFrame posters={posters}>
      <SignInByMail />
    </AuthFrame>
  );
}

const complain = (error: unknown) => toast({ tone: "error", title: "Error", text: sentenceOf(error) });

/** First the address, then the code. A known and an unknown address are treated alike; no account is made here. */
export function SignInByMail() {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [email, setEmail] = useState<string>();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("email")).trim();
    setBusy(true);
    const { error } = await (
      await authClient()
    ).signInWithOtp({
      email: typed,
      options: { shouldCreateUser: false, emailRedirectTo: `${window.location.origin}/` },
    });
    setBusy(false);
    if (error) complain(error);
    else setEmail(typed);
  };
  return (
    <>
      <p className={`small ${styles.back}`}>
        <Link to={paths.signIn}>Sign In</Link>
      </p>
      <h1 className={styles.tight}>Sign in by mail</h1>
      {email === undefined ? (
        <>
          <p className={styles.lead}>
            Give the address of your account. We send a code and a link; either of them signs you in once.
          </p>
          <form className={styles.stack} method="post" onSubmit={(event) => void send(event)}>
            <div className="field">
              <label htmlFor="mail-email">Email</label>
              <input className="in" id="mail-email" name="email" type="email" autoComplete="username" required />
            </div>
            <Button type="submit" size="big" wide disabled={!ready} busy={busy} busyLabel="Sending...">
              Send the code
            </Button>
          </form>
        </>
      ) : (
        <MailCode email={email} onOther={() => setEmail(undefined)} />
      )}
    </>
  );
}

/** Takes the code and leads on: to the second step, to a first password, or to where the person wanted to go. */
function MailCode({ email, onOther }: Readonly<{ email: string; onOther(): void }>) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [code, setCode] = useState("");
  const check = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { data, error } = await (await authClient()).verifyOtp({ email, token: code, type: "email" });
    setBusy(false);
    if (error) {
      setCode("");
      return complain(error);
    }
    if (data.user?.factors?.some((factor) => factor.status === "verified")) return navigate(paths.code);
    toast({ title: "Welcome!", text: "You have been signed in successfully." });
    const hasPassword: unknown = data.user?.app_metadata["has_password"];
    await navigate(hasPassword === false ? paths.resetPassword : takeRememberedRoute(), { replace: true });
  };
  return (
    <>
      <p className={styles.lead} role="status">
        If <strong>{email}</strong> has an account, a code is in its mail now. Nothing there? Look in the spam folder,
        or ask again in a minute.
      </p>
      <form className={styles.stack} method="post" onSubmit={(event) => void check(event)}>
        <div className="field">
          <label htmlFor="mail-code">Code from the mail</label>
          <input
            className={styles.code}
            id="mail-code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="\d{6}"
            title="Six figures"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, "").slice(0, 6))}
          />
        </div>
        <Button type="submit" size="big" wide busy={busy} busyLabel="Checking...">
          Sign In
        </Button>
      </form>
      <p className={`small ${styles.after}`}>
        <button type="button" className={styles.textButton} onClick={onOther}>
          Use another address, or send it again
        </button>
      </p>
    </>
  );
}
