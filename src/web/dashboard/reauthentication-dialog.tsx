/** The one dialog in which a person proves again that it is them, opened by an error response of the server and by nothing else. */
import { Modal } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import {
  type Reauthentication,
  isReauthenticationRefused,
  needsReauthentication,
} from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import styles from "./dialog.module.css";
import { isComplete, ReauthenticationFields } from "./reauthentication-fields.tsx";

type Work = (reauthentication: Reauthentication) => Promise<unknown>;
type Options = Readonly<{ codeOnly?: boolean }>;
type Asking = Options & Readonly<{ work: Work; end(done: boolean): void; fail(error: unknown): void }>;

/**
 * Does a work that may want reauthentication. `withReauthentication` tries it without one first; when the server asks, `dialog` opens and the
 * work is done again with reauthentication. It answers true when the work was done, false when the person has thought better of it, and
 * throws every other error.
 */
export function useReauthentication(): {
  withReauthentication(work: Work, options?: Options): Promise<boolean>;
  dialog: ReactNode;
} {
  const [asking, setAsking] = useState<Asking>();
  const withReauthentication = async (work: Work, options: Options = {}) => {
    try {
      await work({});
      return true;
    } catch (error) {
      if (!needsReauthentication(error)) throw error;
    }
    return new Promise<boolean>((resolve, reject) => {
      setAsking({ ...options, work, end: resolve, fail: reject });
    }).finally(() => setAsking(undefined));
  };
  return { withReauthentication, dialog: asking ? <ReauthenticationDialog {...asking} /> : null };
}

function ReauthenticationDialog({ work, end, fail, codeOnly = false }: Asking) {
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const go = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog inside another form would send that one too.
    event.stopPropagation();
    if (busy || !isComplete(reauthentication)) return;
    setBusy(true);
    setRefused(undefined);
    try {
      await work(reauthentication);
      end(true);
    } catch (error) {
      setBusy(false);
      if (isReauthenticationRefused(error)) setRefused(apiErrorOf(error).message);
      else fail(error);
    }
  };
  return (
    <Modal opened onClose={() => end(false)} title="Is it you?" closeOnClickOutside={false}>
      <p className={styles.text}>You signed in a while ago. Please confirm that it is you.</p>
      <form className={styles.form} onSubmit={(event) => void go(event)}>
        <ReauthenticationFields
          name="reauthentication"
          codeOnly={codeOnly}
          error={refused}
          onChange={setReauthentication}
        />
        <div className={styles.actions}>
          <Button tone="line" onClick={() => end(false)}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(reauthentication)} busy={busy} busyLabel="Checking...">
            Go on
          </Button>
        </div>
      </form>
    </Modal>
  );
}
