/** A copy of everything held about the person, and the end of the account. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import dialog from "../../areas/dialog.module.css";
import { readMyData, useDeleteAccount } from "../../lib/account.ts";
import { refusalOf } from "../../lib/refusal.ts";
import { signOut } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/toaster.tsx";
import styles from "./account.module.css";
import { Section } from "./section.tsx";

/** Writes the copy into a file on the person's device. */
export function ExportSection() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const url = URL.createObjectURL(new Blob([await readMyData()], { type: "application/json" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = "stagedoor-my-data.json";
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      toast({ tone: "error", title: "Error", text: refusalOf(error).message });
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
    </Section>
  );
}

/** Deletes the account after a dialog that asks for the password. */
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
  const [password, setPassword] = useState("");
  const go = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await remove.mutateAsync({ password });
      await signOut();
      toast({ title: "Account deleted", text: "You are signed out everywhere." });
    } catch (error) {
      toast({ tone: "error", title: "Error", text: refusalOf(error).message });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Delete account" closeOnClickOutside={false}>
      <p className={dialog.text}>
        The account and everything personal in it is removed at once. This cannot be taken back.
      </p>
      <form onSubmit={(event) => void go(event)}>
        <TextField
          label="Your password"
          name="delete-proof"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className={dialog.acts}>
          <Button tone="line" onClick={onClose} data-autofocus>
            Keep the account
          </Button>
          <Button type="submit" busy={remove.isPending} busyLabel="Deleting...">
            Delete account
          </Button>
        </div>
      </form>
    </Modal>
  );
}
