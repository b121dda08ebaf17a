import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { openForm } from "../dashboard/dialogs/open-dialog.ts";
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
        If you lose your device, you can sign in once with each of these codes. They are not shown again
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
