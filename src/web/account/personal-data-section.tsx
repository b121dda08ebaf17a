/** A copy of everything held about the person, and the end of the account. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import dialog from "../dashboard/dialog.module.css";
import { useReauthentication } from "../dashboard/reauthentication-dialog.tsx";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { useDeleteAccount, useExport } from "../lib/api/account.ts";
import { type Proof, isReauthenticationRefused } from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { signOut } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";
import styles from "./account.module.css";
import { Section } from "./section.tsx";

/** Writes the copy into a file on the person's device. */
export function ExportSection() {
  const [busy, setBusy] = useState(false);
  const { mutateAsync: readMyData } = useExport();
  const { withReauthentication, dialog: proof } = useReauthentication();
  const save = async () => {
    setBusy(true);
    try {
      await withReauthentication(async (given) => writeFile(await readMyData(given)));
    } catch (error) {
      const { status, message } = apiErrorOf(error);
      // A session that has ended speaks for itself: the tab leaves.
      if (status !== 401) toast({ tone: "error", title: "Error", text: message });
    }
    setBusy(false);
  };
  return (
    <Section
      title="Export data"
      why="Everything held about you: account, bookings, payments and log, as one JSON file."
    >
      <div className={styles.row}>
        <Button tone="line" busy={busy} busyLabel="Preparing..." onClick={() => void save()}>
          Export data
        </Button>
      </div>
      {proof}
    </Section>
  );
}

function writeFile(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "stagedoor-my-data.json";
  link.click();
  URL.revokeObjectURL(url);
}

/** Deletes the account after a dialog that asks for the password, or for a mailed code. */
export function DeleteSection() {
  const [asking, setAsking] = useState(false);
  return (
    <Section
      title="Delete account"
      why="For good. Booking and payment records stay, as the law asks, without your name and contact."
    >
      <div className={styles.row}>
        <Button tone="bad" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </div>
      {asking ? <DeleteDialog onClose={() => setAsking(false)} /> : null}
    </Section>
  );
}

function DeleteDialog({ onClose }: Readonly<{ onClose(): void }>) {
  const remove = useDeleteAccount();
  const hosted = useHostedAuth();
  const [proof, setProof] = useState<Proof>({});
  const [refused, setRefused] = useState<{ proof?: string; act?: string }>({});
  const go = async (event: FormEvent) => {
    event.preventDefault();
    if (remove.isPending || !isComplete(proof)) return;
    setRefused({});
    try {
      await remove.mutateAsync(proof);
    } catch (error) {
      const { message } = apiErrorOf(error);
      return setRefused(isReauthenticationRefused(error) ? { proof: message } : { act: message });
    }
    toast({ title: "Account deleted", text: "You are signed out everywhere." });
    await signOut();
  };
  return (
    <Modal opened onClose={onClose} title="Delete account" closeOnClickOutside={false}>
      <p className={dialog.text}>
        The account and everything personal in it is removed at once. This cannot be taken back.
        {hosted
          ? " Your sign-in at the service that keeps your password stays; ask there to have it removed too."
          : null}
      </p>
      <form className={dialog.form} onSubmit={(event) => void go(event)}>
        <ReauthenticationFields name="delete-proof" error={refused.proof} onChange={setProof} />
        {refused.act ? (
          <p className="note cherry" role="alert">
            {refused.act}
          </p>
        ) : null}
        <div className={dialog.acts}>
          <Button tone="line" onClick={onClose} data-autofocus>
            Keep the account
          </Button>
          <Button type="submit" disabled={!isComplete(proof)} busy={remove.isPending} busyLabel="Deleting...">
            Delete account
          </Button>
        </div>
      </form>
    </Modal>
  );
}
