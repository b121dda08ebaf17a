import { Checkbox } from "@mantine/core";
import type { Factor } from "@supabase/auth-js";
import { useState } from "react";
import { factorName } from "../auth/codes/code-field.tsx";
import { openConfirmation } from "../dashboard/dialogs/confirmation.tsx";
import { openForm } from "../dashboard/forms/api-form.tsx";
import { authClient } from "../lib/auth/session.ts";
import { copyText } from "../lib/browser/copy-text.ts";
import { Button } from "../ui/button.tsx";
import type { RunAction } from "./use-account-action.ts";
import dialog from "../dashboard/dialogs/dialog.module.css";
import styles from "./account.module.css";

/** Creates ten recovery codes and shows them once. `renew` invalidates the previous codes. */
export const makeRecoveryCodes = (runAction: RunAction, renew: boolean) =>
  runAction(async () => {
    const { recoveryCodes } = (await authClient()).mfa;
    const response = renew ? await recoveryCodes.regenerate() : await recoveryCodes.generate();
    if (response.data) showRecoveryCodes(response.data.codes, renew);
    return response;
  });

function showRecoveryCodes(codes: readonly string[], renew: boolean): void {
  const content = (onClose: () => void) => <RecoveryCodes codes={codes} renew={renew} onDone={onClose} />;
  openForm("Save your recovery codes", content, { size: "36rem", closeOnEscape: false, withCloseButton: false });
}

function RecoveryCodes({
  codes,
  renew,
  onDone,
}: Readonly<{ codes: readonly string[]; renew: boolean; onDone(): void }>) {
  const [stored, setStored] = useState(false);
  const text = codes.join("\n");
  const copy = () =>
    copyText(text, {
      done: { title: "Copied", text: "The recovery codes are copied to the clipboard." },
      otherwise: "Please download the codes.",
    });
  return (
    <>
      <p className="small">
        {renew ? null : "Two-factor sign-in is on. "}If you lose your device, you can sign in once with each of these
        codes. They are not shown again
        {renew ? ", and older ones are void" : ""}.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        <Button tone="line" size="sm" onClick={() => void copy()}>
          Copy
        </Button>
        <a
          className="btn line sm"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="stagedoor-recovery-codes.txt"
        >
          Download
        </a>
      </div>
      <Checkbox
        className={styles.tick}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
        label="I have saved them where I can find them without this device."
      />
      <div className={dialog.actions}>
        <Button disabled={!stored} onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}

type Account = Readonly<{ runAction: RunAction; onChange(): Promise<void> }>;

/** Confirms and removes a factor. The dialog closes first, because the server may require reauthentication. `last`: the recovery codes are removed too. */
export function confirmRemoval(factor: Factor, last: boolean, { runAction, onChange }: Account): void {
  const name = factorName(factor);
  const isPasskey = factor.factor_type === "webauthn";
  const done = isPasskey ? "The passkey was removed." : last ? "Two-factor sign-in is off." : `${name} is removed.`;
  const remove = async () => {
    const unenroll = async () => (await authClient()).mfa.unenroll({ factorId: factor.id });
    if (await runAction(unenroll, { done })) await onChange();
  };
  openConfirmation({
    title: isPasskey ? "Remove passkey" : last ? "Turn two-factor sign-in off" : "Remove this authenticator",
    text: (
      <>
        <p>
          <strong>{name}</strong>
        </p>
        <p>
          {last
            ? `After that, ${isPasskey ? "the password or an emailed code" : "the password"} is enough to sign in, and your recovery codes no longer work.`
            : "You can no longer sign in with it. Your other second factors and your recovery codes still work."}
        </p>
        {isPasskey ? <p>Your device keeps its entry until you delete it there.</p> : null}
      </>
    ),
    cancel: "Keep it",
    confirm: last && !isPasskey ? "Turn off" : "Remove",
    busy: "Removing...",
    danger: true,
    onConfirm: async () => void remove(),
  });
}
