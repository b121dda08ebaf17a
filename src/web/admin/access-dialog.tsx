/** The dialogs that close an account, open it again, or take a lost second factor away. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import dialog from "../dashboard/dialog.module.css";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { type Person, useResetSecondFactor, useRestore, useSuspend } from "../lib/api/users.ts";
import { type Proof, isReauthenticationRefused, needsReauthentication } from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";

/** What an admin can do to the access of a person. */
export type AccessAction = "suspend" | "restore" | "reset";
export type AccessChange = Readonly<{ person: Person; command: AccessAction }>;

type Words = Readonly<{
  title: string;
  text: string;
  button: string;
  busy: string;
  done: string;
  tells(who: string): string;
}>;

const words: Record<AccessAction, Words> = {
  suspend: {
    title: "Suspend this person",
    text: "Every device is signed out at once and nobody can sign in with this account until you restore it. Bookings and payments stay as they are.",
    button: "Suspend",
    busy: "Suspending...",
    done: "Suspended",
    tells: (who) => `${who} is signed out everywhere.`,
  },
  restore: {
    title: "Restore this person",
    text: "The person can sign in again with the same password and role. Devices that were signed out stay so.",
    button: "Restore",
    busy: "Restoring...",
    done: "Restored",
    tells: (who) => `${who} can sign in again.`,
  },
  reset: {
    title: "Reset two-factor sign-in",
    text: "For somebody who has lost the phone and the recovery codes. From then on the password alone opens the account, so make sure first that it is really them who asks.",
    button: "Reset two-factor",
    busy: "Resetting...",
    done: "Two-factor sign-in is off",
    tells: (who) => `${who} is signed out everywhere and signs in with the password alone.`,
  },
};

type Props = Readonly<{ change: AccessChange | undefined; onClose(): void }>;

/** Shows who it is about and what it does; asks for the reason where the log needs one, and for the admin's password when the server does. */
export function AccessDialog({ change, onClose }: Props) {
  const { run, busy } = useAccessActions();
  const [reason, setReason] = useState("");
  const [proof, setProof] = useState<Proof>({});
  const [proving, setProving] = useState(false);
  const [unproven, setUnproven] = useState<string>();
  const [refused, setRefused] = useState("");
  if (!change) return null;
  const { person, command } = change;
  const say = words[command];
  const go = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || (proving && !isComplete(proof))) return;
    setRefused("");
    setUnproven(undefined);
    try {
      await run(change, { reason: reason.trim(), proof });
      toast({ title: say.done, text: say.tells(person.name || person.email) });
      onClose();
    } catch (error) {
      const refusal = apiErrorOf(error);
      if (needsReauthentication(error) && !proving) setProving(true);
      else if (isReauthenticationRefused(error)) setUnproven(refusal.message);
      else setRefused(refusal.fields["reason"] ?? refusal.message);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.title}
      size={command === "restore" ? "28rem" : "36rem"}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <p>
        <strong>{person.name || "No name"}</strong>
        <br />
        <span className="small quiet">{person.email}</span>
      </p>
      <p className={dialog.text}>{say.text}</p>
      {command === "restore" && person.suspendedReason ? (
        <p className={dialog.text}>Suspended because: {person.suspendedReason}</p>
      ) : null}
      <form className={dialog.form} onSubmit={(event) => void go(event)}>
        {command === "restore" ? null : (
          <TextArea
            label="Reason"
            name="reason"
            rows={3}
            minLength={3}
            maxLength={500}
            required
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            hint="For the activity log and the other admins. The person is told that it happened, not why."
          />
        )}
        {proving ? (
          <ReauthenticationFields
            name="access-proof"
            hint="You signed in a while ago. This needs a fresh proof that it is you."
            error={unproven}
            onChange={setProof}
          />
        ) : null}
        {refused ? (
          <p className="note cherry" role="alert">
            {refused}
          </p>
        ) : null}
        <div className={dialog.acts}>
          <Button tone="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyLabel={say.busy}>
            {say.button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function useAccessActions() {
  const [suspend, restore, reset] = [useSuspend(), useRestore(), useResetSecondFactor()];
  const run = async ({ person: { userId }, command }: AccessChange, typed: { reason: string; proof: Proof }) => {
    const { reason, proof } = typed;
    if (command === "suspend") await suspend.mutateAsync({ userId, reason });
    else if (command === "restore") await restore.mutateAsync({ userId });
    else await reset.mutateAsync({ userId, reason, ...proof });
  };
  return { run, busy: suspend.isPending || restore.isPending || reset.isPending };
}
