/** The dialogs that close an account, open it again, or take a lost second factor away. */
import { Modal } from "@mantine/core";
import { type FormEvent, useState } from "react";
import dialog from "../dashboard/dialog.module.css";
import { isComplete, ReauthenticationFields } from "../dashboard/reauthentication-fields.tsx";
import { type UserListItem, useResetSecondFactor, useRestore, useSuspend } from "../lib/api/users.ts";
import {
  type Reauthentication,
  isReauthenticationRefused,
  needsReauthentication,
} from "../lib/auth/reauthentication.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";

/** What an admin can do to the access of a person. */
export type AccessAction = "suspend" | "restore" | "reset";
export type AccessChange = Readonly<{ user: UserListItem; action: AccessAction }>;

type Texts = Readonly<{
  title: string;
  text: string;
  button: string;
  busy: string;
  done: string;
  doneText(who: string): string;
}>;

const texts: Record<AccessAction, Texts> = {
  suspend: {
    title: "Suspend this person",
    text: "Every device is signed out at once and nobody can sign in with this account until you restore it. Bookings and payments stay as they are.",
    button: "Suspend",
    busy: "Suspending...",
    done: "Suspended",
    doneText: (who) => `${who} is signed out everywhere.`,
  },
  restore: {
    title: "Restore this person",
    text: "The person can sign in again with the same password and role. Devices that were signed out stay so.",
    button: "Restore",
    busy: "Restoring...",
    done: "Restored",
    doneText: (who) => `${who} can sign in again.`,
  },
  reset: {
    title: "Reset two-factor sign-in",
    text: "For somebody who has lost the phone and the recovery codes. From then on the password alone opens the account, so make sure first that it is really them who asks.",
    button: "Reset two-factor",
    busy: "Resetting...",
    done: "Two-factor sign-in is off",
    doneText: (who) => `${who} is signed out everywhere and signs in with the password alone.`,
  },
};

type Props = Readonly<{ change: AccessChange | undefined; onClose(): void }>;

/** Shows who it is about and what it does; asks for the reason where the log needs one, and for the admin's password when the server does. */
export function AccessDialog({ change, onClose }: Props) {
  const { run, busy } = useAccessActions();
  const [reason, setReason] = useState("");
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [reauthenticating, setReauthenticating] = useState(false);
  const [reauthenticationError, setReauthenticationError] = useState<string>();
  const [refused, setRefused] = useState("");
  if (!change) return null;
  const { user, action } = change;
  const text = texts[action];
  const go = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || (reauthenticating && !isComplete(reauthentication))) return;
    setRefused("");
    setReauthenticationError(undefined);
    try {
      await run(change, { reason: reason.trim(), reauthentication });
      toast({ title: text.done, text: text.doneText(user.name || user.email) });
      onClose();
    } catch (error) {
      const apiError = apiErrorOf(error);
      if (needsReauthentication(error) && !reauthenticating) setReauthenticating(true);
      else if (isReauthenticationRefused(error)) setReauthenticationError(apiError.message);
      else setRefused(apiError.fields["reason"] ?? apiError.message);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.title}
      size={action === "restore" ? "28rem" : "36rem"}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <p>
        <strong>{user.name || "No name"}</strong>
        <br />
        <span className="small quiet">{user.email}</span>
      </p>
      <p className={dialog.text}>{text.text}</p>
      {action === "restore" && user.suspendedReason ? (
        <p className={dialog.text}>Suspended because: {user.suspendedReason}</p>
      ) : null}
      <form className={dialog.form} onSubmit={(event) => void go(event)}>
        {action === "restore" ? null : (
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
        {reauthenticating ? (
          <ReauthenticationFields
            name="access-reauthentication"
            hint="You signed in a while ago. Please confirm that it is you."
            error={reauthenticationError}
            onChange={setReauthentication}
          />
        ) : null}
        {refused ? (
          <p className="note cherry" role="alert">
            {refused}
          </p>
        ) : null}
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyLabel={text.busy}>
            {text.button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function useAccessActions() {
  const [suspend, restore, reset] = [useSuspend(), useRestore(), useResetSecondFactor()];
  const run = async (
    { user: { userId }, action }: AccessChange,
    typed: { reason: string; reauthentication: Reauthentication },
  ) => {
    const { reason, reauthentication } = typed;
    if (action === "suspend") await suspend.mutateAsync({ userId, reason });
    else if (action === "restore") await restore.mutateAsync({ userId });
    else await reset.mutateAsync({ userId, reason, ...reauthentication });
  };
  return { run, busy: suspend.isPending || restore.isPending || reset.isPending };
}
