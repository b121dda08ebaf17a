<<<<<<< HEAD
/** The one dialog in which a person proves again that it is them, opened by the server's refusal and by nothing else. */
import { Modal } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { type Proof, isReauthenticationRefused, needsReauthentication } from "../lib/auth/reauthentication.ts";
import { useCurrentUser } from "../lib/auth/current-user.ts";
import { reauthenticate } from "../lib/api/account.ts";
=======
/** The one dialog in which a user confirms again who they are. Only an error response of the server opens it. */
import { modals } from "@mantine/modals";
import { type FormEvent, useState } from "react";
import {
  isReauthenticationRefused,
  needsReauthentication,
  type Reauthentication,
} from "../lib/auth/reauthentication.ts";
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import styles from "./dialog.module.css";
import { isComplete, ReauthenticationFields } from "./reauthentication-fields.tsx";

<<<<<<< HEAD
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
=======
type Work = (reauthentication: Reauthentication) => Promise<unknown>;
type Options = Readonly<{ codeOnly?: boolean }>;

/**
 * Does work that may need reauthentication. The work is tried without it first; when the server asks for it, the dialog opens and
 * the work is done again with what was typed. Resolves with true when the work was done and with false when the user gave up, and
 * throws every other error.
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
 */
export async function withReauthentication(work: Work, { codeOnly = false }: Options = {}): Promise<boolean> {
  try {
    await work({});
    return true;
  } catch (error) {
    if (!needsReauthentication(error)) throw error;
  }
  return new Promise<boolean>((resolve, reject) => {
    // Whatever closes the dialog, Escape included, ends the question; a promise that is settled already stays as it is.
    const id = modals.open({
      title: "Is it you?",
      closeOnClickOutside: false,
      onClose: () => resolve(false),
      children: (
        <ReauthenticationForm
          codeOnly={codeOnly}
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

<<<<<<< HEAD
function ReauthenticationDialog({ work, end, fail, codeOnly = false }: Asking) {
  const person = useCurrentUser();
  const isHosted = person.phase === "known" && person.me.hosted === true;
  const [proof, setProof] = useState<Proof>({});
=======
type Props = Readonly<{
  codeOnly: boolean;
  work: Work;
  onDone(): void;
  onFail(error: Error): void;
  onCancel(): void;
}>;

function ReauthenticationForm({ codeOnly, work, onDone, onFail, onCancel }: Props) {
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog inside another form would send that one too.
    event.stopPropagation();
    if (busy || !isComplete(reauthentication)) return;
    setBusy(true);
    setRefused(undefined);
    const goesBeside = codeOnly && isHosted;
    try {
<<<<<<< HEAD
      if (!goesBeside) await reauthenticate(proof);
      await work(goesBeside ? proof : {});
      end(true);
=======
      await work(reauthentication);
      onDone();
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
    } catch (error) {
      setBusy(false);
      if (isReauthenticationRefused(error)) setRefused(apiErrorOf(error).message);
      else onFail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
<<<<<<< HEAD
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
=======
    <>
      <p className={styles.text}>You signed in a while ago. Please confirm that it is you.</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <ReauthenticationFields
          name="reauthentication"
          codeOnly={codeOnly}
          error={refused}
          onChange={setReauthentication}
        />
        <div className={styles.actions}>
          <Button tone="line" onClick={onCancel}>
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(reauthentication)} busy={busy} busyLabel="Checking...">
            Go on
          </Button>
        </div>
      </form>
    </>
  );
}
