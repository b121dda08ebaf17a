/** /auth/undo: the link "This was not me" opens it. Only the button undoes the change. */

import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { type ChangeKind, changeKinds } from "#users/rules.ts";
import { attempt } from "../../lib/attempt.ts";
import { renewSession } from "../../lib/auth/session.ts";
import { responseError } from "../../lib/response-error.ts";
import { privateHeaders, unlistedMeta } from "../../lib/unlisted-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { LinkAction, LinkOutcome } from "../link-page.tsx";
import styles from "../auth.module.css";

export const headers = privateHeaders;

export const meta = () => unlistedMeta("Undo a change | Stagedoor", true);

const undoneMessages: Record<ChangeKind, string> = {
  password: "The new password no longer works.",
  email: "Your previous email address is restored.",
  phone: "Your previous phone number is restored.",
  factor_added: "The authenticator app or passkey that was added is removed.",
  identity_added: "The organization's account that was connected is disconnected, and cannot sign in here.",
  factor_removed: "The authenticator app or passkey that was removed is restored.",
  recovery_codes: "The recovery codes no longer work.",
};

type Outcome =
  | Readonly<{ how: "undone"; undone: readonly ChangeKind[]; needsAdmin: boolean }>
  | Readonly<{ how: "refused"; title: string; text: string }>;

const incomplete: Outcome = {
  how: "refused",
  title: "This link is not complete",
  text: "Open it from the message again, or copy the whole link.",
};

export default function UndoChange() {
  const [query] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome>();
  if (outcome) return <OutcomeView outcome={outcome} />;
  const token = query.get("token_hash");
  if (!token) return <OutcomeView outcome={incomplete} />;
  const press = () => attempt(async () => setOutcome(await undo(token)));
  return (
    <>
      <h1 className={styles.tight}>This was not you?</h1>
      <p className={styles.lead}>
        This undoes the change in our message and every later change to your sign-in. All devices are signed out,
        including this one, and the password no longer works. You then set a new one with a link that we email you.
      </p>
      <LinkAction busyLabel="Undoing..." onClick={press}>
        Undo the change
      </LinkAction>
      <p className={`small quiet ${styles.after}`}>
        If this was you, close the page. Nothing changes unless you press the button.
      </p>
    </>
  );
}

/** Sends no session, because a user with a pending second factor can undo a change too. */
async function undo(token: string): Promise<Outcome> {
  const response = await fetch("/api/account-changes/undo", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (response.status === 400) return incomplete;
  const body: unknown = await response.json().catch(() => undefined);
  // The link still works, so the button stays.
  if (response.status === 429 || response.status >= 500)
    throw responseError("Please try again in a moment.", response.status, body);
  const part = (name: string): unknown =>
    typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (response.ok) {
    // Ends this browser's session if it was one of the account.
    void renewSession();
    const undone = part("undone");
    const kinds = changeKinds.filter((kind) => Array.isArray(undone) && undone.includes(kind));
    return { how: "undone", undone: kinds, needsAdmin: part("needsAdmin") === true };
  }
  const message = part("message");
  return {
    how: "refused",
    title: part("code") === "link_ended" ? "This link has ended" : "The request failed",
    text: typeof message === "string" ? message : "The server could not be reached. Please try again.",
  };
}

function OutcomeView({ outcome }: Readonly<{ outcome: Outcome }>) {
  if (outcome.how === "refused")
    return (
      <LinkOutcome title={outcome.title} text={outcome.text}>
        <p className={styles.lead}>
          If another person is signed in to your account, set a new password. That signs out all other devices.
        </p>
        <SetPassword />
      </LinkOutcome>
    );
  return (
    <LinkOutcome
      title="The change is undone"
      text={`All devices are signed out${outcome.undone.includes("password") ? "" : ", and the password no longer works"}.`}
    >
      <ul className={styles.rules}>
        {outcome.undone.map((kind) => (
          <li key={kind} data-met="">
            {undoneMessages[kind]}
          </li>
        ))}
      </ul>
      {outcome.needsAdmin ? (
        <p className={styles.lead}>
          Your former address now belongs to another account. This account is closed until an admin has reviewed it.{" "}
          <Link to={paths.contact}>Write to us.</Link>
        </p>
      ) : (
        <>
          <p className={styles.lead}>
            Set a new password next. Then check the phone number and the two-factor sign-in on your account page, and
            make new recovery codes.
          </p>
          <SetPassword />
        </>
      )}
    </LinkOutcome>
  );
}

const SetPassword = () => (
  <LinkButton size="big" wide to={paths.forgotPassword}>
    Set a new password
  </LinkButton>
);
