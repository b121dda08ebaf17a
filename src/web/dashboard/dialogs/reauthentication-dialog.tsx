import { modals } from "@mantine/modals";
import { type FormEvent, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { reauthenticate } from "../../lib/api/account.ts";
import {
  isReauthenticationRefused,
  needsReauthentication,
  type Reauthentication,
} from "../../lib/auth/reauthentication.ts";
import { Button } from "../../ui/button.tsx";
import { isComplete, ReauthenticationFields } from "./reauthentication-fields.tsx";
import styles from "./dialog.module.css";

type Work = () => Promise<unknown>;

/** Runs work, and once more after the user reauthenticates if the server requires it. Resolves to false if the user canceled. Throws other errors. */
export async function withReauthentication(work: Work): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!needsReauthentication(error)) throw error;
  }
  return new Promise<boolean>((resolve, reject) => {
    // Every way to close the dialog resolves it, including Escape. A settled promise ignores this.
    const id = modals.open({
      title: "Confirm it's you",
      closeOnClickOutside: false,
      onClose: () => resolve(false),
      children: (
        <ReauthenticationForm
          work={work}
          onDone={() => {
            resolve(true);
            modals.close(id);
          }}
          onFail={(error) => {
            reject(error);
            modals.close(id);
          }}
          onCancel={() => modals.close(id)}
        />
      ),
    });
  });
}

type Props = Readonly<{
  work: Work;
  onDone(): void;
  onFail(error: Error): void;
  onCancel(): void;
}>;

function ReauthenticationForm({ work, onDone, onFail, onCancel }: Props) {
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const change = (next: Reauthentication) => {
    setReauthentication(next);
    setRefused(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog inside another form would submit that form too.
    event.stopPropagation();
    if (busy || !isComplete(reauthentication)) return;
    setBusy(true);
    setRefused(undefined);
    try {
      await reauthenticate(reauthentication);
      await work();
      onDone();
    } catch (error) {
      setBusy(false);
      if (isReauthenticationRefused(error)) setRefused(apiErrorOf(error).message);
      else onFail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <>
      <p className={styles.text}>For your security, confirm your identity again to continue.</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <ReauthenticationFields name="reauthentication" error={refused} onChange={change} />
        <div className={styles.actions}>
          <Button tone="line" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(reauthentication)} busy={busy} busyLabel="Checking...">
            Continue
          </Button>
        </div>
      </form>
    </>
  );
}
