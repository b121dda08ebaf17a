/** /auth/confirm: the links in our emails open it. The button consumes the token, because email scanners open links. */

import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { authClient } from "../lib/auth/session.ts";
import { closeErrors } from "../lib/toasts.ts";
import { privateHeaders, unlistedMeta } from "../lib/unlisted-meta.ts";
import { LinkButton } from "../ui/button.tsx";
import { type SignedIn, useAfterSignIn } from "./after-sign-in.ts";
import { errorMessageOf, isTemporary, showError } from "./error-message.ts";
import { LinkAction, LinkOutcome } from "./link-page.tsx";
import { resetPath } from "./password/reset-path.ts";
import styles from "./auth.module.css";

export const headers = privateHeaders;

export const meta = () => unlistedMeta("Confirm | Stagedoor", true);

const kinds = {
  signup: {
    title: "Confirm your address",
    lead: "Confirm this address and we sign you in on this device.",
    press: "Confirm my address",
    done: "Your address is confirmed and you are signed in.",
  },
  magiclink: {
    title: "Sign in",
    lead: "Press the button to sign in on this device.",
    press: "Sign In",
    done: "You are signed in.",
  },
  recovery: {
    title: "Set a new password",
    lead: "Press the button to choose a new password. Your current password works until you save the new one.",
    press: "Continue",
    done: "You are signed in and can set a new password now.",
  },
  email_change: {
    title: "Confirm the change of your address",
    lead: "Confirm that your account should use the new address.",
    press: "Confirm the change",
    done: "Your new address is confirmed. We will send emails to it.",
  },
} as const;
type Kind = keyof typeof kinds;

type Outcome = Readonly<{ title: string; text: string; next: "dashboard" | "password" | "sign-in" | undefined }>;

const incomplete: Outcome = {
  title: "This link is not complete",
  text: "Open it from the email again, or copy the whole link.",
  next: "sign-in",
};

export default function Confirm() {
  const [query] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const navigate = useNavigate();
  const continueAfterSignIn = useAfterSignIn();
  if (outcome) return <OutcomeView outcome={outcome} />;
  const link = linkOf(query);
  if (!link) return <OutcomeView outcome={incomplete} />;
  const texts = kinds[link.kind];
  const press = async () => {
    setBusy(true);
    closeErrors();
    const result = await confirm(link.kind, link.token).catch((error: unknown) => ({ error }));
    if ("error" in result) {
      showError(result.error);
      return setBusy(false);
    }
    if ("signedIn" in result) return continueAfterSignIn(result.signedIn);
    if (link.kind === "recovery" && result.next === "password")
      return navigate(await resetPath().catch(() => paths.resetPassword), { replace: true });
    setOutcome(result);
  };
  return (
    <>
      <h1 className={styles.tight}>{texts.title}</h1>
      <p className={styles.lead}>{texts.lead}</p>
      <LinkAction busy={busy} busyLabel="Confirming..." onClick={() => void press()}>
        {texts.press}
      </LinkAction>
      <p className={`small quiet ${styles.after}`}>
        If you did not request this, close the page. Nothing changes unless you press the button.
      </p>
    </>
  );
}

function OutcomeView({ outcome }: Readonly<{ outcome: Outcome }>) {
  const { title, text, next } = outcome;
  const goals = {
    dashboard: [paths.dashboard, "Go to your dashboard"],
    password: [paths.resetPassword, "Set a new password"],
    "sign-in": [paths.signIn, "Go to Sign In"],
  } as const;
  const [to, label] = next ? goals[next] : [];
  return (
    <LinkOutcome title={title} text={text}>
      {to ? (
        <LinkButton size="big" wide to={to}>
          {label}
        </LinkButton>
      ) : null}
    </LinkOutcome>
  );
}

async function confirm(kind: Kind, token: string): Promise<Outcome | Readonly<{ signedIn: SignedIn }>> {
  const { data, error } = await (await authClient()).verifyOtp({ token_hash: token, type: kind });
  if (error) {
    if (isTemporary(error)) throw error;
    return refused(error);
  }
  if (!data.session)
    return {
      title: "One more step",
      text: "This address is confirmed. Now open the link in the email to your other address.",
      next: undefined,
    };
  if (kind === "recovery") return { title: kinds.recovery.title, text: kinds.recovery.done, next: "password" };
  const hasPassword: unknown = data.session.user.app_metadata["has_password"];
  if (hasPassword !== false && kind !== "email_change") return { signedIn: data.session.user };
  if (hasPassword !== false) return { title: "Done", text: kinds[kind].done, next: "dashboard" };
  const reason =
    "This link was not opened in the browser that signed up. The password chosen there is not used. Set a password now.";
  return { title: "Your address is confirmed", text: reason, next: "password" };
}

function refused(error: { code?: string | undefined; message: string }): Outcome {
  if (error.code === "validation_failed") return incomplete;
  if (error.code !== "otp_expired")
    return { title: "The request failed", text: errorMessageOf(error), next: "sign-in" };
  const text =
    "It was already used, or it has expired. Nothing was changed. If you have confirmed already, sign in. Otherwise request a new link.";
  return { title: "This link has ended", text, next: "sign-in" };
}

function linkOf(query: URLSearchParams): { kind: Kind; token: string } | undefined {
  const [type, token] = [query.get("type") ?? "", query.get("token_hash")];
  return Object.hasOwn(kinds, type) && token ? { kind: type as Kind, token } : undefined;
}
