import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLoaderData, useNavigate, useSearchParams } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { oidcPaths, oidcProblemMessage } from "#users/oidc/rules.ts";
import { apiContext } from "../../lib/api/api-context.ts";
import { authClient, useSession } from "../../lib/auth/session.ts";
import { usePasskeys } from "../../lib/auth/use-passkeys.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { useSite } from "../../lib/site.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { LinkButton, Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { needsSecondFactor, pageAfterSignIn, useAfterSignIn, useWelcome } from "../after-sign-in.ts";
import { wallPosters, AuthLayout } from "../auth-layout.tsx";
import { fieldErrorOf, showError } from "../error-message.ts";
import type { Route } from "./+types/sign-in-page.ts";
import { EmailPending, pendingEmail, rememberPendingEmail } from "./email-pending.tsx";
import { SignInForm, type SignInInput } from "./sign-in-form.tsx";
import { SignUpForm, type SignUpInput } from "./sign-up-form.tsx";
import { noMessages } from "./use-account-form.ts";
import styles from "../auth.module.css";

export const handle = { wall: true };

export async function loader({ context }: Route.LoaderArgs) {
  return { posters: await wallPosters(context.get(apiContext), 9) };
}

export const meta: Route.MetaFunction = () => [{ title: "Sign in to Stagedoor" }];

export default function SignInPage() {
  const { posters } = useLoaderData<typeof loader>();
  return (
    <AuthLayout posters={posters}>
      <SignInOrUp />
    </AuthLayout>
  );
}

export function SignInOrUp() {
  const [query, setQuery] = useSearchParams();
  const tab = query.get("tab") === "sign-up" ? "sign-up" : "sign-in";
  const returned = query.has("returned");
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<string>();
  const [refused, setRefused] = useState(noMessages);
  const [unconfirmed, setUnconfirmed] = useState<string>();
  const { demo = false, demoAccounts = false, singleSignOn = null } = useSite() ?? {};
  const ready = useHydrated();
  const continueAfterSignIn = useAfterSignIn();
  const welcome = useWelcome();
  const passkeys = usePasskeys();
  const acting = useRef(false);
  const left = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const session = useSession();
  const navigate = useNavigate();
  useEffect(() => setWaiting(pendingEmail()), []);
  useEffect(() => {
    if (session.phase !== "signed-in") return;
    rememberPendingEmail(undefined);
    if (acting.current || left.current) return;
    // Runs once, because the session may be reloaded during the navigation after the remembered route was consumed.
    left.current = true;
    const continues = returned && !needsSecondFactor(session.session.user);
    void navigate(continues ? pageAfterSignIn(paths.dashboard) : paths.dashboard, { replace: true });
  }, [session, returned, navigate]);

  const attempt = async (work: () => Promise<void>) => {
    acting.current = true;
    setBusy(true);
    closeErrors();
    setRefused(noMessages);
    try {
      await work();
    } catch (error) {
      showError(error);
      setRefused(fieldErrorOf(error));
    }
    acting.current = false;
    setBusy(false);
  };
  const signIn = (input: SignInInput, home?: string) =>
    attempt(async () => {
      const { data, error } = await (await authClient()).signInWithPassword(input);
      setUnconfirmed(error?.code === "email_not_confirmed" ? input.email : undefined);
      if (error) throw error;
      await continueAfterSignIn(data.user, home);
    });
  const signInByPasskey = () =>
    attempt(async () => {
      const { error } = await (await authClient()).signInWithPasskey();
      if (error) throw error;
      await welcome(pageAfterSignIn());
    });
  const signUp = (input: SignUpInput) =>
    attempt(async () => {
      const { name, email, password, role } = input;
      const options = { emailRedirectTo: `${window.location.origin}/`, data: { name, role } };
      const { data, error } = await (await authClient()).signUp({ email, password, options });
      if (error) throw error;
      if (data.session) return continueAfterSignIn(data.session.user);
      toast({ title: "Account created!", text: "Please check your email to verify your account." });
      waitFor(email);
    });
  const waitFor = (email: string | undefined) => {
    rememberPendingEmail(email);
    setWaiting(email);
    // Scrolls to the top, because the heading states the result.
    window.scrollTo(0, 0);
    heading.current?.focus();
  };

  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {tab === "sign-in" ? "Sign in" : waiting ? "Check your email" : "Create your account"}
      </h1>
      <AuthTabs
        open={tab}
        onOpen={(next) =>
          setQuery(next === "sign-up" ? { tab: next } : {}, { replace: true, preventScrollReset: true })
        }
      />
      <div id="auth-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "sign-in" ? (
          <>
            {unconfirmed ? <ConfirmationAgain key={unconfirmed} email={unconfirmed} /> : null}
            <SignInForm
              ready={ready}
              busy={busy}
              refused={refused}
              onSend={(input) => signIn(input)}
              onPasskey={passkeys ? () => void signInByPasskey() : undefined}
            />
            {singleSignOn ? (
              <SingleSignOn label={singleSignOn} problem={oidcProblemMessage(query.get("problem"), singleSignOn)} />
            ) : null}
            {demoAccounts ? (
              <DemoEntry ready={ready} busy={busy} onEnter={(input) => signIn(input, paths.dashboard)} />
            ) : null}
          </>
        ) : waiting ? (
          <EmailPending email={waiting} onOther={() => waitFor(undefined)} onBusy={(now) => (acting.current = now)} />
        ) : (
          <SignUpForm ready={ready} busy={busy} demo={demo} refused={refused} onSend={signUp} />
        )}
      </div>
    </>
  );
}

type Props = Readonly<{
  label: string;
  problem: string | undefined;
}>;

/** A plain link, because the browser leaves the site. */
function SingleSignOn({ label, problem }: Props) {
  return (
    <div className={`${styles.stack} ${styles.after}`}>
      <ErrorNote message={problem} />
      <LinkButton tone="line" size="big" wide href={oidcPaths.start}>
        Continue with {label}
      </LinkButton>
    </div>
  );
}

type AuthTab = "sign-in" | "sign-up";

const tabs = [
  ["sign-in", "Sign In"],
  ["sign-up", "Sign Up"],
] as const;

function AuthTabs({ open, onOpen }: Readonly<{ open: AuthTab; onOpen(tab: AuthTab): void }>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: "sign-in", ArrowRight: "sign-up", Home: "sign-in", End: "sign-up" }[event.key];
    if (wanted !== "sign-in" && wanted !== "sign-up") return;
    event.preventDefault();
    onOpen(wanted);
    list.current?.querySelector<HTMLElement>(`#tab-${wanted}`)?.focus();
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label="Account" ref={list} onKeyDown={move}>
      {tabs.map(([tab, label]) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={open === tab}
          aria-controls="auth-panel"
          tabIndex={open === tab ? 0 : -1}
          onClick={() => onOpen(tab)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function ConfirmationAgain({ email }: Readonly<{ email: string }>) {
  const [sent, setSent] = useState(false);
  const send = async () => {
    const resend = async () => (await authClient()).resend({ type: "signup", email });
    const { error } = await resend().catch((failure: unknown) => ({ error: failure }));
    if (error) showError(error);
    else setSent(true);
  };
  return (
    <div className="note gold" role="status">
      {sent ? (
        <p>We sent a new email to {email}. Use the button in it to sign in.</p>
      ) : (
        <>
          <p>{email} is not confirmed yet. Use the button in our email.</p>
          <Button tone="line" size="sm" busyLabel="Sending..." onClick={send}>
            Send the email again
          </Button>
        </>
      )}
    </div>
  );
}

/** The accounts of the demo market (seed/). Their password is public and works in demo mode only. */
const demoPassword = "demo-password";
const demoAccounts = [
  ["Promoter", "promoter@demo.test"],
  ["Artist", "artist@demo.test"],
  ["Admin", "admin@demo.test"],
] as const;

type EntryProps = Readonly<{ ready: boolean; busy: boolean; onEnter(input: SignInInput): void }>;

/** Rendered only if the server reports that the demo market is open. */
function DemoEntry({ ready, busy, onEnter }: EntryProps) {
  return (
    <section className={`note ${styles.demo}`} aria-labelledby="demo-entry">
      <div className={styles.entries}>
        <h2 id="demo-entry">Look around as</h2>
        {demoAccounts.map(([role, email]) => (
          <Button
            key={role}
            tone="line"
            size="sm"
            disabled={!ready}
            busy={busy}
            onClick={() => onEnter({ email, password: demoPassword })}
          >
            {role}
          </Button>
        ))}
      </div>
      <p className="small">
        Or type promoter@demo.test, artist@demo.test or admin@demo.test, with the password{" "}
        <strong>{demoPassword}</strong>.
      </p>
    </section>
  );
}
