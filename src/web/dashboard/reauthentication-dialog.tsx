/** The one dialog in which a person proves again that it is them, opened by the server's refusal and by nothing else. */
import { Modal } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { type Proof, isReauthenticationRefused, needsReauthentication } from "../lib/auth/reauthentication.ts";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import { reauthenticate } from "../lib/api/account.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import styles from "./dialog.module.css";
import { isComplete, ReauthenticationFields } from "./reauthentication-fields.tsx";

type Work = (proof: Proof) => Promise<unknown>;
type Wish = Readonly<{
  /** A hosted service takes its own code beside the change, and no password. */
  codeOnly?: boolean;
}>;
type Asking = Wish & Readonly<{ work: Work; end(done: boolean): void; fail(error: unknown): void }>;

/**
 * Does a work that may need recent authentication. `withReauthentication` tries it first; when the server asks, `dialog` opens, the person
 * authenticates again, and the work is done once more. It answers true when the work was done, false when the person has thought
 * better of it, and throws every other refusal.
 */
export function useReauthentication(): {
  withReauthentication(work: Work, wish?: Wish): Promise<boolean>;
  dialog: ReactNode;
} {
  const [asking, setAsking] = useState<Asking>();
  const withReauthentication = async (work: Work, wish: Wish = {}) => {
    try {
      await work({});
      return true;
    } catch (error) {
      if (!needsReauthentication(error)) throw error;
    }
    return new Promise<boolean>((resolve, reject) => {
      setAsking({ ...wish, work, end: resolve, fail: reject });
    }).finally(() => setAsking(undefined));
  };
  return { withReauthentication, dialog: asking ? <ReauthenticationDialog {...asking} /> : null };
}

function ReauthenticationDialog({ work, end, fail, codeOnly = false }: Asking) {
  const person = useCurrentUser();
  const isHosted = person.phase === "known" && person.me.hosted === true;
  const [proof, setProof] = useState<Proof>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const go = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog inside another form would send that one too.
    event.stopPropagation();
    if (busy || !isComplete(proof)) return;
    setBusy(true);
    setRefused(undefined);
    const goesBeside = codeOnly && isHosted;
    try {
      if (!goesBeside) await reauthenticate(proof);
      await work(goesBeside ? proof : {});
      end(true);
    } catch (error) {
      setBusy(false);
      if (isReauthenticationRefused(error)) setRefused(apiErrorOf(error).message);
      else fail(error);
    }
  };
  return (
    <Modal opened onClose={() => end(false)} title="Is it you?" closeOnClickOutside={false}>
      <p className={styles.text}>
        Your last proof is older than five minutes, and this changes how your account is opened or who is signed in to
        it.
      </p>
      <form className={styles.form} onSubmit={(event) => void go(event)}>
        <ReauthenticationFields
          name="fresh-proof"
          codeOnly={codeOnly && isHosted}
          error={refused}
          onChange={setProof}
        />
        <div className={styles.acts}>
          <Button tone="line" onClick={() => end(false)}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(proof)} busy={busy} busyLabel="Checking...">
            Go on
          </Button>
        </div>
      </form>
    </Modal>
  );
}
